import { Effect, Exit } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../test/Cases.ts"
import { parseJson } from "../../src/input/Json.ts"
import { type LongForm, parseLongJson } from "../../src/input/LongJson.ts"
import type { InvalidBody } from "../../src/pipeline/ErrorTable.ts"

const seed = { seed: 20_260_131, numRuns: cases(2_000) }
const maximum = 65_536

/** Leaves items as they are. */
const form: LongForm<InvalidBody> = { list: "items", maximum_bytes: 4 * 2 ** 20, decodeItem: Exit.succeed }

const parse = (text: string) => Effect.runPromiseExit(parseLongJson(text, form))
const parseWhole = (text: string) => parseJson(new TextEncoder().encode(text))

/** Objects with a list of this name, and others. */
const bodies = fc.oneof(
  fc.record({ items: fc.array(fc.jsonValue({ maxDepth: 3 })), reason: fc.jsonValue({ maxDepth: 2 }) }),
  fc.record({ reason: fc.jsonValue({ maxDepth: 2 }), items: fc.jsonValue({ maxDepth: 3 }) }),
  fc.record({ inner: fc.record({ items: fc.array(fc.jsonValue()) }), items: fc.array(fc.jsonValue()) }),
  fc.jsonValue({ maxDepth: 4 })
)
const texts = fc
  .tuple(bodies, fc.constantFrom(undefined, 1, "\t"))
  .map(([value, space]) => JSON.stringify(value, undefined, space))

describe("parseLongJson", () => {
  it("reads the same values as the parser of short bodies", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await parse(text)).toEqual(parseWhole(text))
      }),
      seed
    )
  })

  it("refuses the same texts as the parser of short bodies: with a character more, less or changed", async () => {
    const signs = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", " ", "0", "x", '"items":[', "\n")
    const broken = fc
      .tuple(texts, fc.nat(), fc.nat(2), fc.oneof(signs, fc.constant("")))
      .map(([text, at, removed, added]) => {
        const start = at % (text.length + 1)
        return text.slice(0, start) + added + text.slice(start + removed)
      })
      .filter((text) => text !== "")
    await fc.assert(
      fc.asyncProperty(broken, async (text) => {
        const [long, short] = [await parse(text), parseWhole(text)]
        expect(Exit.isSuccess(long)).toBe(Exit.isSuccess(short))
        if (Exit.isSuccess(long)) expect(long).toEqual(short)
      }),
      { ...seed, numRuns: cases(10_000) }
    )
  }, 30_000)

  it("gives each item to its decoder, in order, and fails with the first refusal", async () => {
    const seen: Array<readonly [unknown, number]> = []
    const refusing: LongForm<string> = {
      ...form,
      decodeItem: (item, index) => {
        seen.push([item, index])
        return item === "bad" ? Exit.fail(`item ${index}`) : Exit.succeed([item])
      }
    }
    const run = (text: string) => Effect.runPromiseExit(parseLongJson(text, refusing))
    expect(await run('{"items":[1,"two",{"three":[3]}],"a":1}')).toEqual(
      Exit.succeed({ items: [[1], ["two"], [{ three: [3] }]], a: 1 })
    )
    expect(seen).toEqual([
      [1, 0],
      ["two", 1],
      [{ three: [3] }, 2]
    ])
    expect(await run('{"items":[1,"bad","bad"')).toEqual(Exit.fail("item 1"))
    expect(await run('{"it\\u0065ms":[1,"bad"]}')).toEqual(Exit.fail("item 1"))
  })

  const item = (length: number) => JSON.stringify("x".repeat(length - 2))
  const lengths: ReadonlyArray<readonly [string, string, boolean]> = [
    ["an item of 64 KiB", `{"items":[${item(maximum)},1]}`, true],
    ["a longer item", `{"items":[${item(maximum + 1)},1]}`, false],
    ["a longer last item", `{"items":[1,${item(maximum + 1)}]}`, false],
    ["more than 64 KiB before the list", `{"a":${item(maximum)},"items":[1]}`, false],
    ["more than 64 KiB after the list", `{"items":[1],"a":${item(maximum)}}`, false],
    ["more than 64 KiB before and after the list", `{"a":${item(40_000)},"items":[1],"b":${item(40_000)}}`, false],
    ["more than 64 KiB without a list", `{"a":${item(maximum)}}`, false]
  ]
  it.each(lengths)("with %s", async (_, text, isTaken) => {
    const parsed = await parse(text)
    expect(Exit.isSuccess(parsed)).toBe(isTaken)
    if (!isTaken) expect(String(parsed)).toContain("64 KiB")
  })

  it("lets other work run in between", async () => {
    const change = {
      change: "add",
      postcode: "LA-12-A03-BG-07",
      lat: 6.6,
      lng: 3.35,
      attributes: { a: "x".repeat(330) }
    }
    const long = `{"items":[${Array(10_000).fill(JSON.stringify(change)).join()}]}`
    expect(long.length).toBeGreaterThan(4_000_000)
    let turns = 0
    let isRunning = true
    const turn = () => {
      turns++
      if (isRunning) setImmediate(turn)
    }
    setImmediate(turn)
    const parsed = await parse(long)
    isRunning = false
    expect(Exit.isSuccess(parsed)).toBe(true)
    expect(turns).toBeGreaterThan(3)
  })

  it("ends in time for hostile texts of 4 MB", async () => {
    const hostile = [
      "[".repeat(4_000_000),
      `{"items":[${"[".repeat(4_000_000)}`,
      `{"items":[${"[],".repeat(1_300_000)}`,
      `{"items":["${"\\\\".repeat(2_000_000)}`,
      `{"items":[${'"'.repeat(4_000_000)}`,
      `{${'"a":{'.repeat(800_000)}`,
      `{"items":[${" ".repeat(4_000_000)}]}`,
      `{"items"${" ".repeat(4_000_000)}:[]}`,
      `{${'"items" '.repeat(500_000)}`
    ]
    const refusing: LongForm<string> = {
      ...form,
      decodeItem: (item) => (Array.isArray(item) ? Exit.fail("bad") : Exit.void)
    }
    for (const text of hostile) {
      expect(Exit.isFailure(await Effect.runPromiseExit(parseLongJson(text, refusing))), text.slice(0, 20)).toBe(true)
    }
  }, 30_000)
})
