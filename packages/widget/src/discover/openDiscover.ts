/** The map in a picker. Loaded when the position is known. */
import type { Messages } from "../languages/Messages.ts"
import type { SavedForm } from "../Saved.ts"
import type { Addresses } from "../session/Addresses.ts"
import type { Problem } from "../session/Request.ts"
import type { Choice } from "../session/Search.ts"
import type { Session } from "../session/Session.ts"
import { choiceOf } from "./choiceOf.ts"
import { type DiscoverOptions, mountDiscover } from "./mountDiscover.ts"

/** The picker around the map. */
export interface DiscoverSurroundings extends Pick<DiscoverOptions, "onCancel"> {
  /** Of an identified user; otherwise that of a visitor is taken, for a credit. */
  readonly session: Session | undefined
  readonly addresses: () => Promise<Addresses>
  readonly onPick: (choice: Choice) => void
  readonly onProblem: (problem: Problem) => void
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
  messages: Messages,
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
  const attribute = (name: string): string => host.getAttribute(name) ?? ""
  const own = host.getAttribute("map-style")
  // A path of the operator's is one of the gateway, a path of the page one of the page.
  const { origin } = new URL(attribute("gateway"), document.baseURI)
  const style = own ?? session.mapStyle.replace(/^\//, `${origin}/`)
  const service = (attribute("platform") || attribute("gateway")).replace(/\/+$/, "")
  const mount = (texts: Messages) =>
    mountDiscover({
      onCancel,
      element: panel,
      nearby: (at, radius_m, signal) => session.nearby(at, radius_m, signal),
      texts,
      position: { lat: latitude, lng: longitude },
      accuracy_m: accuracy,
      streets: style ? { frame: `${service}/v1/widget/map`, style } : undefined,
      onNoStreets: (reason) => onProblem(noStreets(reason)),
      onPick: (unit) => onPick(choiceOf(unit)),
      onProblem: (error) => onProblem(error as Problem)
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

/** As `Problem`, whose code is in the entry. */
const noStreets = (reason: string): Problem => {
  const message = `No streets on the map: ${reason}`
  const detail = { status: 0, code: "map_unavailable", message }
  return Object.assign(new Error(message), { ...detail, retryAfter_s: 0, toJSON: () => detail })
}
