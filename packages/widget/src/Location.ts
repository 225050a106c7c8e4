/**
 * Places and distances: the device's position with the nearest unit, and where unnamed parts lie. Loaded on first use; it
 * imports no other chunk.
 */

import type { DiscoverSurroundings } from "./discover/openDiscover.ts"
import type { ListBox } from "./ListBox.ts"
import type { fill, Messages } from "./languages/Messages.ts"
import type { SavedForm } from "./Saved.ts"
import type { Choice, Nearest, Search, Suggestion } from "./session/Search.ts"

/** Latitude and longitude in degrees. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

/** The messages, and the function that fills them. */
export interface Words {
  readonly fill: typeof fill
  readonly messages: Messages
}

/** The message to show and the nearest unit, if one was found. */
export interface Located {
  readonly message: keyof Messages
  readonly values: Readonly<Record<string, number>>
  readonly choice?: Choice
  /** The map, if it was opened. */
  readonly form?: SavedForm | undefined
}

/** The maximum radius: a unit farther away is in another street. */
const maxRadius_m = 250
const minRadius_m = 25

/** The search radius around a position; undefined if the position is too inaccurate. */
export const radiusFor = (accuracy_m: number): number | undefined =>
  accuracy_m <= maxRadius_m ? Math.max(minRadius_m, Math.ceil(accuracy_m)) : undefined

/**
 * The nearest unit to the device's position, or a map of its surroundings where the page wants one.
 *
 * @param panel where the map is shown
 * @throws Problem of the gateway
 */
export const locate = async (
  search: Search,
  gateway: string,
  words: Words,
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
  if (position && host.matches(`[discover][publishable-key]:is([until=unit], :not([until]))`)) {
    const { openDiscover } = await import("./discover/openDiscover.ts")
    const form = await openDiscover(position, panel, host, words.messages, signal, surroundings)
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

/** The device's position from the browser, which asks the user; undefined if it is not available. */
export const findPosition = (): Promise<GeolocationCoordinates | undefined> =>
  new Promise<GeolocationCoordinates>((resolve, reject) => {
    // Not a cached position: a second try after an inaccurate one needs a new measurement.
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), reject, {
      enableHighAccuracy: true,
      timeout: 15_000
    })
  }).catch(() => undefined)

/**
 * The nearest unit to a position, with its distance.
 *
 * @throws Problem of the gateway
 */
export const nearestUnit = async (
  at: Pick<GeolocationCoordinates, "accuracy" | "latitude" | "longitude"> | undefined,
  search: Search,
  gateway: string,
  { fill, messages }: Words,
  signal: AbortSignal
): Promise<Located> => {
  if (at === undefined) return { message: "denied", values: {} }
  const radius_m = radiusFor(at.accuracy)
  if (radius_m === undefined) return { message: "coarse", values: { n: Math.round(at.accuracy) } }
  const query = { lat: `${at.latitude}`, lng: `${at.longitude}`, max_distance_m: `${radius_m}` }
  const nearest = await search.get<Nearest>(`${gateway}/v1/search/reverse?${new URLSearchParams(query)}`, signal)
  if (!nearest.found) return { message: "notNear", values: { n: radius_m } }
  const { address, distance_m, postcode } = nearest.unit
  const note = fill(messages.distance, { distance: `${Math.round(distance_m)} m` })
  const place = await search.findPlace(gateway, postcode, signal)
  const label = [address, place].filter(Boolean).join(", ")
  const choice: Choice = { code: postcode, label, note, source: "search" }
  return { message: "near", values: {}, choice: address ? { ...choice, address: label } : choice }
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
    const offset = centre && middle ? offsetOf(middle, centre) : ([0, 0] as const)
    if (Math.hypot(...offset) < near_m) return { ...choice, note: addresses }
    const where = fill(messages.inThe, { direction: directionOf(offset, messages), place })
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
type Offset = readonly [east_m: number, north_m: number]

const offsetOf = (from: Point, to: Point): Offset => [
  (to.lng - from.lng) * metresPerDegree * Math.cos((from.lat * Math.PI) / 180),
  (to.lat - from.lat) * metresPerDegree
]

/** The nearest of eight compass directions, in words. */
const directionOf = ([east_m, north_m]: Offset, { directions }: Messages): string => {
  const eighth = Math.round(Math.atan2(east_m, north_m) / (Math.PI / 4))
  return directions.split("|")[(eighth + 8) % 8] ?? ""
}
