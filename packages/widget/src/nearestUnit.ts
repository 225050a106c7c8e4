/** The device's position, and the unit nearest to it. */
import type { fill, Messages } from "./languages/Messages.ts"
import type { SavedForm } from "./Saved.ts"
import type { Choice, Nearest, Search } from "./session/Search.ts"

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
