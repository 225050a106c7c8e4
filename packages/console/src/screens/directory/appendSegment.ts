import type { DataOf } from "../../client/Contract.ts"

/** The name of a segment. */
export type Segment = DataOf<"GET /v1/search/autocomplete">["segment"]

/**
 * Appends a suggested segment to the typed postcode: `appendSegment("la 1", "lga", "11")` is `LA-11`. A partial segment or
 * a name in the text is replaced.
 */
export const appendSegment = (q: string, segment: Segment, code: string): string => {
  const characters = q.replace(/[^0-9a-z]/gi, "").toUpperCase()
  const parts: Array<string> = []
  let at = 0
  for (const [name, width] of widths) {
    if (name === segment) break
    parts.push(characters.slice(at, at + width))
    at += width
  }
  return [...parts, code].join("-")
}

const widths: ReadonlyArray<readonly [Segment, number]> = [
  ["state", 2],
  ["lga", 2],
  ["district", 3],
  ["area", 2],
  ["unit", 2]
]
