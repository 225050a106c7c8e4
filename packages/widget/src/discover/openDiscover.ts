/** The map in a picker. Loaded when the position is known. */
import type { Messages } from "../languages/Messages.ts"
import type { SavedForm } from "../Saved.ts"
import type { Addresses } from "../session/Addresses.ts"
import type { Problem as FailedRequest } from "../session/Request.ts"
import type { Choice } from "../session/Search.ts"
import type { Session } from "../session/Session.ts"
import { choiceOf } from "./choiceOf.ts"
import { type DiscoverOptions, type DiscoverTools, mountDiscover } from "./mountDiscover.ts"

/** The picker around the map. */
export interface DiscoverSurroundings extends Pick<DiscoverOptions, "onCancel"> {
  /** Of an identified user; otherwise that of a visitor is taken, for a credit. */
  readonly session: Session | undefined
  readonly addresses: () => Promise<Addresses>
  readonly onPick: (choice: Choice) => void
  readonly onProblem: (problem: FailedRequest) => void
}

/** The messages, and what the picker has for them. */
export interface DiscoverWords extends DiscoverTools {
  readonly messages: Messages
  readonly Problem: typeof FailedRequest
}

/**
 * Shows the map in the panel; undefined if there is no session to be had.
 *
 * @param host the picker, whose attributes name the style with streets
 */
export const openDiscover = async (
  { accuracy, latitude, longitude }: Pick<GeolocationCoordinates, "accuracy" | "latitude" | "longitude">,
  panel: HTMLElement,
  host: Element,
  { messages, Problem, ...tools }: DiscoverWords,
  signal: AbortSignal,
  { addresses, onCancel, onPick, onProblem, session: known }: DiscoverSurroundings
): Promise<SavedForm | undefined> => {
  const session =
    known ??
    (await addresses()
      .then((found) => found.visit())
      .catch(onProblem))
  signal.throwIfAborted()
  if (!session) return undefined
  // A path of the operator's is one of the gateway, a path of the page one of the page.
  const { origin } = new URL(host.getAttribute("gateway") ?? "", document.baseURI)
  const style = host.getAttribute("map-style") ?? session.mapStyle.replace(/^\//, `${origin}/`)
  const mount = (texts: Messages) =>
    mountDiscover({
      onCancel,
      element: panel,
      nearby: (at, radius_m, signal) => session.nearby(at, radius_m, signal),
      texts,
      tools,
      position: { lat: latitude, lng: longitude },
      accuracy_m: accuracy,
      streets: style ? { frame: `${session.platform}/v1/widget/map`, style } : undefined,
      onNoStreets: (reason) => onProblem(new Problem(0, "map_unavailable", `No streets on the map: ${reason}`)),
      onPick: (unit) => onPick(choiceOf(unit)),
      onProblem: (error) => onProblem(error as FailedRequest)
    })
  let shown = messages
  let close = mount(shown)
  return {
    // Called at every change of the picker; only another language needs another map.
    render: (next) => {
      if (next.confirm === shown.confirm) return
      close()
      shown = next
      close = mount(next)
    },
    close: () => close()
  }
}
