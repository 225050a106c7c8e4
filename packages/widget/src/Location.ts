/**
 * Where the device is, and which unit is there. Loaded once somebody asks for it; no other file comes with it.
 */
import type { Messages } from "./Messages.ts"
import type { Nearest, Search } from "./Search.ts"
import type { Code } from "./TypedCode.ts"

/** What came of it, to be said; and the unit, if one was found. */
export interface Located {
  readonly message: keyof Messages
  readonly values: Readonly<Record<string, number>>
  readonly code?: Code
}

/** The search goes no further: what lies beyond is another street. */
const coarsest_m = 250
const finest_m = 25

/** How far around a position its unit may be; undefined where the device knows too little to say. */
export const radiusFor = (accuracy_m: number): number | undefined =>
  accuracy_m <= coarsest_m ? Math.max(finest_m, Math.ceil(accuracy_m)) : undefined

/**
 * Asks the browser, and so the user; then the gateway.
 *
 * @throws Problem of the gateway
 */
export const locate = async (search: Search, gateway: string, signal: AbortSignal): Promise<Located> => {
  const at = await currentPosition().catch(() => undefined)
  signal.throwIfAborted()
  if (at === undefined) return { message: "denied", values: {} }
  const radius_m = radiusFor(at.accuracy)
  if (radius_m === undefined) return { message: "coarse", values: { n: Math.round(at.accuracy) } }
  const query = { lat: `${at.latitude}`, lon: `${at.longitude}`, radius_m: `${radius_m}` }
  const nearest = await search.get<Nearest>(`${gateway}/v1/search/reverse?${new URLSearchParams(query)}`, signal)
  if (!nearest.found) return { message: "notNear", values: { n: radius_m } }
  const { distance_m, postcode } = nearest.unit
  return { message: "near", values: { n: Math.round(distance_m) }, code: postcode }
}

const currentPosition = (): Promise<GeolocationCoordinates> =>
  new Promise((resolve, reject) => {
    // No position of before: whoever asks again after one that was too rough hopes for a better one.
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), reject, {
      enableHighAccuracy: true,
      timeout: 15_000
    })
  })
