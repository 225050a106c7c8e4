import { Exit, Schema } from "effect"
import { describe, expect, it } from "vitest"
import {
  AddressText,
  Day,
  Latitude,
  LevelParameter,
  Limit,
  Longitude,
  pageQuery,
  Radius,
  SearchText,
  Text
} from "../src/parameters.ts"

const takes = (schema: Schema.Codec<unknown, unknown>, input: unknown): boolean =>
  Exit.isSuccess(Schema.decodeUnknownExit(schema)(input))

const messageOf = (schema: Schema.Codec<unknown, unknown>, input: unknown): string => {
  const exit = Schema.decodeUnknownExit(schema)(input)
  const failed = Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail") : undefined
  return failed?.error.message ?? ""
}

/** What JavaScript takes for a number and people do not, and what is none at all. */
const noNumbers = [
  "",
  " ",
  "NaN",
  "Infinity",
  "-Infinity",
  "0x10",
  "1e400",
  "1,5",
  "1_000",
  " 1",
  "1 ",
  "+1",
  "--1",
  "1.2.3",
  "٣",
  "1e",
  "."
]

describe("numbers in a query", () => {
  for (const [name, schema] of Object.entries({ Latitude, Longitude, Radius, Limit, LevelParameter })) {
    it(`${name} refuses a text that is not a plain number`, () => {
      for (const text of noNumbers) expect(takes(schema, text), JSON.stringify(text)).toBe(false)
    })

    it(`the message of ${name} describes a valid value, and does not repeat the input`, () => {
      expect(messageOf(schema, "canary-7f3a")).toMatch(/^expected a/)
      expect(messageOf(schema, "canary-7f3a")).not.toContain("canary")
    })
  }

  it.each([
    [Latitude, "90", 90],
    [Latitude, "-90", -90],
    [Longitude, "180", 180],
    [Longitude, "-180.0", -180],
    [Latitude, "6.5983730", 6.598373],
    [Latitude, "1e-7", 1e-7],
    [Radius, "0", 0],
    [Radius, ".5", 0.5],
    [Radius, "100000", 100_000],
    [Limit, "1", 1],
    [Limit, "100", 100],
    [LevelParameter, "5", 5]
  ])("%#: accepts its bounds and the usual notations", (schema, text, value) => {
    expect(Schema.decodeUnknownSync(schema as Schema.Codec<unknown, unknown>)(text)).toBe(value)
  })

  it.each([
    [Latitude, "90.0000001"],
    [Latitude, "-91"],
    [Longitude, "180.0000001"],
    [Radius, "-0.1"],
    [Limit, "0"],
    [Limit, "101"],
    [Limit, "2.0"],
    [LevelParameter, "0"],
    [LevelParameter, "6"],
    [LevelParameter, "1.0"]
  ])("%#: refuses a value beyond its bounds", (schema, text) => {
    expect(takes(schema, text)).toBe(false)
  })
})

describe("text", () => {
  it("of a name is trimmed, and is refused if it is empty, too long or has control characters", () => {
    expect(Schema.decodeUnknownSync(Text(10))("  Ọjọ́ ")).toBe("Ọjọ́")
    for (const text of ["", "   ", "a\u0000b", "a\nb", "x".repeat(11)]) expect(takes(Text(10), text)).toBe(false)
  })

  it.each([
    ["search", SearchText, 200],
    ["address", AddressText, 500]
  ] as const)("of %s has a maximum length", (_, schema, most) => {
    expect(takes(schema, "x".repeat(most))).toBe(true)
    expect(takes(schema, "x".repeat(most + 1))).toBe(false)
  })

  it("of a day is refused if the calendar has no such day", () => {
    for (const text of ["2026-01-31", "2028-02-29"]) expect(takes(Day, text)).toBe(true)
    for (const text of ["2026-02-29", "2026-13-01", "2026-1-1", "today", "2026-01-31T00:00:00Z"]) {
      expect(takes(Day, text)).toBe(false)
    }
  })

  it("of a cursor is refused if it is longer than 64 characters or has other characters than ids", () => {
    const query = Schema.Struct(pageQuery)
    expect(takes(query, { cursor: "before-12" })).toBe(true)
    for (const cursor of ["a b", "../x", "x".repeat(65)]) expect(takes(query, { cursor })).toBe(false)
  })
})
