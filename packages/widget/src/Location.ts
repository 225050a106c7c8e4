/**
 * Places and distances: the device's position with the nearest unit, and where unnamed parts lie. Loaded on first use; it
 * imports no other chunk.
 */

import type { Point } from "./discover/mercator.ts"
import type { DiscoverSurroundings, DiscoverWords } from "./discover/openDiscover.ts"
import type { ListBox } from "./ListBox.ts"
import type { Messages } from "./languages/Messages.ts"
import type { loadAgain } from "./loadAgain.ts"
import { findPosition, type Located, nearestUnit, type Words } from "./nearestUnit.ts"
import type { Choice, Search, Suggestion } from "./session/Search.ts"

/**
 * The nearest unit to the device's position, or a map of its surroundings where the page wants one.
 *
 * @param panel where the map is shown
 * @throws Problem of the gateway
 */
export const locate = async (
  search: Search,
  gateway: string,
  words: Words & Omit<DiscoverWords, "directionOf"> & { readonly loadAgain: typeof loadAgain },
  signal: AbortSignal,
  panel: HTMLElement,
  { list, ...surroundings }: DiscoverSurroundings & { readonly list: ListBox }
): Promise<Located> => {
  signal.throwIfAborted()
  const position = await findPosition()
  signal.throwIfAborted()
  const root = panel.getRootNode() as ShadowRoot
  const { host } = root
  // A session needs a key; and a part of a postcode needs no map.
  if (position && host.matches(`[discover][publishable-key]:is([until=unit], [until=""], :not([until]))`)) {
    const { openDiscover } = await words.loadAgain(() => import("./discover/openDiscover.ts"))
    const form = await openDiscover(position, panel, host, { ...words, directionOf }, signal, surroundings)
    if (form) return { message: "hint", values: {}, form }
  }
  const located = await nearestUnit(position, search, gateway, words, signal)
  signal.throwIfAborted()
  if (located.choice === undefined) return located
  list.show([located.choice], "", words.messages.near)
  if (!list.touched) root.querySelector("input")?.focus()
  list.activate(0)
  return located
}

/** Centres of parts by code, as far as they were received. */
const centres = new Map<string, Point>()

/**
 * The choices, with what is known of the unnamed ones: how many addresses they have, and the direction in which they lie
 * in the part around them. If its centre is unknown, the mean of all suggestions is taken.
 */
export const described = (
  choices: ReadonlyArray<Choice>,
  suggestions: ReadonlyArray<Suggestion>,
  { fill, messages }: Words
): ReadonlyArray<Choice> => {
  for (const { centre, prefix } of suggestions) if (centre) centres.set(prefix, centre)
  const [first] = suggestions
  const parent = first?.prefix.replace(/-\w+$/, "") ?? ""
  const middle = centres.get(parent) ?? middleOf(suggestions)
  // Districts have no names.
  const place = (parent.length < 6 && first?.within?.split(", ").at(-2)) || parent.replaceAll("-", " ")
  return choices.map((choice, index) => {
    const { centre, units } = suggestions[index] ?? {}
    if (choice.label || units === undefined) return choice
    const addresses = fill(messages.addresses, { n: units })
    if (!centre || !middle || Math.hypot(...offsetOf(middle, centre)) < near_m) return { ...choice, note: addresses }
    const where = fill(messages.inThe, { direction: directionOf(middle, centre, messages), place })
    return { ...choice, note: `${addresses} ${where}` }
  })
}

/** Closer than the rounding of centres allows a direction. */
const near_m = 150

/** The mean of the centres, by their units. */
const middleOf = (suggestions: ReadonlyArray<Suggestion>): Point | undefined => {
  let [lat, lng, total] = [0, 0, 0]
  for (const { centre, units = 0 } of suggestions) {
    if (centre === undefined) continue
    lat += centre.lat * units
    lng += centre.lng * units
    total += units
  }
  return total > 0 ? { lat: lat / total, lng: lng / total } : undefined
}

const metresPerDegree = 111_195

/** In metres on a plane: exact enough within a city. */
const offsetOf = (from: Point, to: Point): readonly [east_m: number, north_m: number] => [
  (((to.lng - from.lng + 540) % 360) - 180) * metresPerDegree * Math.cos((from.lat * Math.PI) / 180),
  (to.lat - from.lat) * metresPerDegree
]

/** The nearest of eight compass directions, in words. */
export const directionOf = (from: Point, to: Point, { directions }: Pick<Messages, "directions">): string => {
  const eighth = Math.round(Math.atan2(...offsetOf(from, to)) / (Math.PI / 4))
  return directions.split("|")[(eighth + 8) % 8] ?? ""
}
