import { Effect, Exit, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { maxBody_bytes, parseJson, readJson } from "../../src/input/Json.ts"
import type { HttpRequest } from "../../src/server/HttpMessage.ts"

const seed = { seed: 20_260_131, numRuns: 1_000 }
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const parse = (text: string | Uint8Array) =>
  Effect.runSync(Effect.result(parseJson(typeof text === "string" ? bytesOf(text) : text)))

const expectRefusal = (text: string | Uint8Array, reason: RegExp): void => {
  const parsed = parse(text)
  expect(Result.isFailure(parsed)).toBe(true)
  if (Result.isFailure(parsed)) expect(parsed.failure).toMatchObject({ _tag: "InvalidBody", message: reason })
}

const taken = (text: string): unknown => {
  const parsed = parse(text)
  if (Result.isFailure(parsed)) throw parsed.failure
  return parsed.success
}

describe("parseJson", () => {
  it("reads any JSON value as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
        const text = JSON.stringify(value, undefined, space)
        expect(taken(text)).toEqual(JSON.parse(text))
      }),
      seed
    )
  })

  it("refuses a repeated key in any object", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.nat(5), (key, value, depth) => {
        const [name, inner] = [JSON.stringify(key), JSON.stringify(value)]
        const object = `{"a${key.length}x":1,${name}:${inner},"z":[],${name} : ${inner}}`
        expectRefusal(`${'{"o":['.repeat(depth)}${object}${"]}".repeat(depth)}`, /twice/)
      }),
      seed
    )
  })

  it("accepts equal keys in different objects, and keys inside texts", () => {
    const objects = [
      '{"a":{"a":{"a":1}}}',
      '[{"a":1},{"a":2}]',
      '{"a":"a","b":"a"}',
      '{"a":["a","a"]}',
      '{"a":"\\"a\\":","b":"{\\"a\\":1,\\"a\\":2}"}',
      '{"a":1,"A":2,"\\u0061\\u0301":3,"\\u00e1":4}',
      '{"":1," ":2}',
      '{"a\\\\":1,"a":2}',
      '{"__proto__":1,"constructor":2,"toString":3,"hasOwnProperty":4}'
    ]
    for (const text of objects) expect(taken(text)).toEqual(JSON.parse(text))
  })

  it("recognizes a repeated key with any escapes", () => {
    const pairs = [
      ['"a"', '"\\u0061"'],
      ['"/"', '"\\/"'],
      ['"\\n"', '"\\u000A"'],
      ['"\u00e9"', '"\\u00E9"'],
      ['"\u{1f600}"', '"\\ud83d\\ude00"'],
      ['"\\""', '"\\u0022"'],
      ['"\\\\"', '"\\u005c"'],
      ['""', '""']
    ]
    for (const [first, second] of pairs) {
      expectRefusal(`{${first}:1,${second}:2}`, /twice/)
      expectRefusal(`{${second} \n:1,"b":{},${first}\t:2}`, /twice/)
    }
  })

  it("walks nesting 30,000 deep without overflowing the stack", () => {
    const arrays = `${"[".repeat(30_000)}1${"]".repeat(30_000)}`
    expect(Result.isSuccess(parse(arrays))).toBe(true)
    expect(Result.isSuccess(parse(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`))).toBe(true)
    expectRefusal(`${'{"a":'.repeat(9_000)}{"b":1,"b":2}${"}".repeat(9_000)}`, /twice/)
    expectRefusal("[".repeat(60_000), /not valid JSON/)
  })

  it("ignores one byte order mark, and refuses a second one", () => {
    expect(taken('\ufeff{"a":1}')).toEqual({ a: 1 })
    expectRefusal('\ufeff\ufeff{"a":1}', /not valid JSON/)
    expectRefusal("\ufeff", /not valid JSON/)
  })

  it("refuses bytes that are not UTF-8", () => {
    const wrong = [
      [0xff, 0xfe, 0x7b, 0x00],
      [0x22, 0x80, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xe2, 0x82, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xf5, 0x80, 0x80, 0x80, 0x22]
    ]
    for (const bytes of wrong) expectRefusal(Uint8Array.from(bytes), /UTF-8/)
  })

  it("distinguishes an empty body from a malformed one", () => {
    expectRefusal("", /empty/)
    for (const text of [" ", "{", "{]", "nul", "{'a':1}", "{a:1}", "01", "1 2", '{"a":1}}', "\u0000"]) {
      expectRefusal(text, /not valid JSON/)
    }
  })

  it("never throws and never repeats the input, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        const parsed = parse(noise)
        if (Result.isFailure(parsed)) expect(parsed.failure.message).toMatch(/^the body [\w\s:-]+$/)
      }),
      seed
    )
  })
})

describe("readJson", () => {
  const request = (headers: Readonly<Record<string, string>>, body = "{}"): HttpRequest => ({
    method: "POST",
    target: "/",
    header: (name) => headers[name],
    peer_address: "192.0.2.1",
    body: (maximum_bytes) => {
      expect(maximum_bytes).toBe(maxBody_bytes)
      return Effect.succeed(bytesOf(body))
    }
  })
  const read = (headers: Readonly<Record<string, string>>, body?: string) =>
    Effect.runSyncExit(readJson(request(headers, body)))

  it("reads at most 64 KiB", () => {
    expect(maxBody_bytes).toBe(65_536)
  })

  it("refuses the content type before it reads the body", () => {
    const unread: HttpRequest = {
      ...request({ "content-type": "text/plain" }),
      body: () => Effect.die(new Error("the body was read"))
    }
    expect(Effect.runSync(Effect.flip(readJson(unread)))).toMatchObject({ _tag: "UnsupportedMediaType" })
  })

  it("refuses a type that only begins like application/json, quickly at any length", () => {
    const types = [
      "application/json5",
      "application/json charset=utf-8",
      "application/json; charset=utf-8x",
      `application/json;${" ".repeat(50_000)}x`,
      `${" ".repeat(50_000)}application/json`.concat("!"),
      `application/json; charset=${"a".repeat(50_000)}`
    ]
    for (const type of types) expect(Exit.isFailure(read({ "content-type": type })), type.slice(0, 60)).toBe(true)
  })

  it("accepts JSON in UTF-8", () => {
    expect(read({ "content-type": "application/json" }, '{"a":[1]}')).toEqual(Exit.succeed({ a: [1] }))
  })
})
