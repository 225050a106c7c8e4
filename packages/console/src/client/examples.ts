/** Initial values of fields and commands, so that they work unchanged. */
import { send } from "./send.ts"

/** A postcode, and coordinates in degrees as text. */
export interface Examples {
  readonly code: string
  readonly lat: string
  readonly lng: string
}

/** A valid unit of the sandbox with every attribute: a test key sees it at each of its levels. */
export const sandboxUnit = "ZZ-01-AAA-AA-01"

/** In Ikeja, Lagos. */
export const usualExamples: Examples = { code: "LA-11-B03-PD-01", lat: "6.5984", lng: "3.3398" }

/**
 * The same with a postcode of the current directory, found segment by segment, if it has one. Without a key the unit's
 * location is not available.
 *
 * @throws Problem, or the signal's reason
 */
export const foundExamples = async (signal: AbortSignal): Promise<Examples> => {
  let q = ""
  for (;;) {
    const { segment, suggestions } = await send("GET /v1/search/autocomplete", { query: { q, limit: 1 } }, { signal })
    const [first] = suggestions
    if (first === undefined) return usualExamples
    q = first.prefix
    if (segment === "unit") return { ...usualExamples, code: q }
  }
}
