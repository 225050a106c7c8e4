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

/** Beginnings of what stands around an address, which a pattern may try in many ways. */
const pieces = [
  ..."a|mr |mr a.|0803 |(|please |flat |a@|1-|1 |😀|home office |2nd |.|lga: |aBc".split("|"),
  ..."no 1 |house |1/2 |near |off |St. |road |A. B. |N.E. |///a.".split("|")
]

export const fuzzedText: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...pieces), fc.constantFrom(...pieces))
    .map(([first, second]) => `${first}${second}`.repeat(100).slice(0, 500)),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(..." ,.-/;:#'\"()\t\n"), maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(..."0123456789 "), maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(..."abcdeiknorsu "), maxLength: 200 }),
  fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((some) => some.join(" "))
)
