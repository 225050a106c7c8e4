/** Validation of places. */

import { parsePartial } from "../../postcode/Postcode.ts"
import { encodeUtf8 } from "../csv/TextCoding.ts"
import { maxPlaceNameBytes } from "../snapshot/SnapshotLimits.ts"
import { textFault } from "../text/textFault.ts"
import type { Place } from "./Place.ts"

/** The fault of a place, given the codes of the previous places; undefined if it is valid. */
export const placeFault = (
  { code, name, zone }: Place,
  known: { readonly has: (code: string) => boolean }
): string | undefined => {
  const parsed = parsePartial(code)
  if (!parsed.ok) return `code: ${parsed.error.message}`
  if (parsed.depth > 2 || parsed.partial !== code) return "code: expected a state or an LGA, like LA or LA-12"
  if (name.trim() === "") return "name: expected a name, found nothing"
  for (const [field, text = ""] of [["name", name] as const, ["zone", zone] as const]) {
    const fault = textFault(text)
    if (fault !== undefined) return `${field}: ${fault}`
    // At most three bytes each: short names need no encoding.
    const bytes = 3 * text.length > maxPlaceNameBytes ? encodeUtf8(text).length : 0
    if (bytes > maxPlaceNameBytes) {
      return `${field}: expected at most ${maxPlaceNameBytes} bytes in UTF-8, found ${bytes}`
    }
  }
  if (zone !== undefined && parsed.depth === 2) return "zone: expected none, as a zone belongs to a state"
  if (known.has(code)) return `code: ${code} came before`
  if (parsed.depth === 2 && !known.has(code.slice(0, 2))) {
    return `code: the state ${code.slice(0, 2)} is missing; states come before their LGAs`
  }
  return undefined
}
