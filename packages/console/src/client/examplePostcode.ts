import { send } from "./send.ts"

/** A postcode that the directory holds, found segment by segment; undefined if it holds none. */
export const examplePostcode = async (signal: AbortSignal): Promise<string | undefined> => {
  let q = ""
  for (;;) {
    const { segment, suggestions } = await send("GET /v1/search/autocomplete", { query: { q, limit: 1 } }, signal)
    const [first] = suggestions
    if (first === undefined) return undefined
    q += q === "" ? first.code : `-${first.code}`
    if (segment === "unit") return q
  }
}
