import type { DataOf } from "../../client/Contract.ts"

/** A part of a postcode, by its name. */
export type Segment = DataOf<"GET /v1/search/autocomplete">["segment"]

/**
 * The postcode so far, with what was suggested for a segment: `continued("la 1", "lga", "11")` is `LA-11`. What was typed
 * of that segment itself is left out, a name as well.
 */
export const continued = (q: string, segment: Segment, code: string): string => {
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
