/** Texts that nobody should write: any Unicode, separators, numbers, SQL, HTML, and words of the fixture in any order. */
import fc from "fast-check"
import { fixtureUnits } from "./AddressFixture.ts"

const words = [
  ...new Set(fixtureUnits.flatMap(([postcode, , address]) => [postcode, ...address.split(/[ ,]+/)])),
  "lagos",
  "state",
  "lga",
  "behind",
  "opposite",
  "by",
  "flat",
  "no",
  "0",
  "99999999999999999999",
  "' OR 1=1; DROP TABLE units; --",
  "<script>alert(1)</script>",
  "%00",
  "\u202e",
  "ﷺ",
  "🏠"
]

export const fuzzedText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(..." ,.-/;:#'\"()\t\n"), maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(..."0123456789 "), maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(..."abcdeiknorsu "), maxLength: 200 }),
  fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((some) => some.join(" "))
)
