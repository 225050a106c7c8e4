/** The unit at the device's position. Loaded on first use; it imports no other chunk. */
import type { Messages } from "./languages/Messages.ts"
import type { Nearest, Search } from "./session/Search.ts"
import type { Code } from "./TypedCode.ts"

/** The message to show and the unit, if one was found. */
export interface Located {
  readonly message: keyof Messages
  readonly values: Readonly<Record<string, number>>
  readonly code?: Code
}

/** The maximum radius: a unit farther away is in another street. */
const maxRadius_m = 250
const minRadius_m = 25

/** The search radius around a position; undefined if the position is too inaccurate. */
export const radiusFor = (accuracy_m: number): number | undefined =>
  accuracy_m <= maxRadius_m ? Math.max(minRadius_m, Math.ceil(accuracy_m)) : undefined

/**
 * Requests the position from the browser, which asks the user, then the unit from the gateway.
 *
 * @throws Problem of the gateway
 */
export const locate = async (search: Search, gateway: string, signal: AbortSignal): Promise<Located> => {
  const at = await currentPosition().catch(() => undefined)
  signal.throwIfAborted()
  if (at === undefined) return { message: "denied", values: {} }
  const radius_m = radiusFor(at.accuracy)
  if (radius_m === undefined) return { message: "coarse", values: { n: Math.round(at.accuracy) } }
  const query = { lat: `${at.latitude}`, lng: `${at.longitude}`, max_distance_m: `${radius_m}` }
  const nearest = await search.get<Nearest>(`${gateway}/v1/search/reverse?${new URLSearchParams(query)}`, signal)
  if (!nearest.found) return { message: "notNear", values: { n: radius_m } }
  const { distance_m, postcode } = nearest.unit
  return { message: "near", values: { n: Math.round(distance_m) }, code: postcode }
}

const currentPosition = (): Promise<GeolocationCoordinates> =>
  new Promise((resolve, reject) => {
    // Not a cached position: a second try after an inaccurate one needs a new measurement.
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), reject, {
      enableHighAccuracy: true,
      timeout: 15_000
    })
  })
