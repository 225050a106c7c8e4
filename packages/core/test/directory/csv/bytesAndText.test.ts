// What is read from the bytes of a row is what its text says.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addressKey, addressKeyIn } from "../../../src/directory/checks/FileFacts.ts"
import { lastPackedCode, readPostcode, readPostcodeIn } from "../../../src/postcode/SegmentReader.ts"

const bytesOf = (text: string) => Buffer.from(`,${text},\n\n`)
const inBytes = <A>(read: (bytes: Uint8Array, start: number, end: number) => A, text: string): A =>
  read(bytesOf(text), 1, 1 + text.length)

describe("the key of an address", () => {
  it.each([
    "",
    "12 Allen Avenue",
    "No. 7, Market",
    "no7",
    "Plot #4",
    "HOUSE 3",
    "house",
    "Flats 2",
    "_1",
    "-- 9",
    "No",
    "no-"
  ])("%s", (text) => expect(inBytes(addressKeyIn, text)).toBe(addressKey(text)))

  it("of any text of ASCII", () => {
    const part = fc.constantFrom(
      "no",
      "PLOT",
      "house",
      "Block",
      "flat",
      "suite",
      " ",
      ".",
      "#",
      "-",
      ":",
      "_",
      "7",
      "x"
    )
    const text = fc.oneof(
      fc.string({ unit: "binary-ascii" }),
      fc.array(part).map((parts) => parts.join(""))
    )
    fc.assert(
      fc.property(text, (address) => {
        expect(inBytes(addressKeyIn, address)).toBe(addressKey(address))
      })
    )
  })
})

describe("a postcode", () => {
  it("that is canonical in either case, and nothing else", () => {
    const character = fc.constantFrom(..."AZaz09-@[`{/: ")
    const text = fc.oneof(
      fc.stringMatching(/^[A-Za-z]{2}-\d{2}-[A-Za-z0-9]{3}-[A-Za-z]{2}-\d{2}$/),
      fc.array(character, { minLength: 13, maxLength: 16 }).map((parts) => parts.join(""))
    )
    fc.assert(
      fc.property(text, (code) => {
        if (!inBytes(readPostcodeIn, code)) return
        const packed = lastPackedCode()
        expect(readPostcode(code)).toBe(true)
        expect(lastPackedCode()).toBe(packed)
      })
    )
    expect(inBytes(readPostcodeIn, "LA-11-B03-PD-01")).toBe(true)
    expect(inBytes(readPostcodeIn, "LA-11-B03-PD-0I")).toBe(false)
  })
})
