/** What fields and commands begin with, so that they work as they stand. */
import { send } from "./send.ts"

/** A postcode, and a place in degrees as one types them. */
export interface Examples {
  readonly code: string
  readonly lat: string
  readonly lon: string
}

/** In Ikeja, Lagos. */
export const usualExamples: Examples = { code: "LA-11-B03-PD-01", lat: "6.5984", lon: "3.3398" }

/**
 * The same with a postcode that the directory in force holds, found segment by segment, if it holds one. Where its unit is,
 * is not told without a key.
 *
 * @throws Problem, or what the signal threw
 */
export const foundExamples = async (signal: AbortSignal): Promise<Examples> => {
  let q = ""
  for (;;) {
    const { segment, suggestions } = await send("GET /v1/search/autocomplete", { query: { q, limit: 1 } }, signal)
    const [first] = suggestions
    if (first === undefined) return usualExamples
    q += q === "" ? first.code : `-${first.code}`
    if (segment === "unit") return { ...usualExamples, code: q }
  }
}
