import { assert, describe, it } from "@effect/vitest"
import { isCanonical, isValid, parse, parsePartial, segments } from "@postcode/core/Postcode"
import {
  Area,
  District,
  DistrictFromString,
  Lga,
  PartialPostcode,
  Postcode,
  PostcodeFromString,
  State,
  StateFromString,
  Unit
} from "@postcode/core/PostcodeSchema"
import { Result, Schema } from "effect"

const runs = { arbitrary: { seed: 774, runs: 1_000 } }

/** The message of the first issue; undefined where the schema takes the value. */
const refusal = <S extends Schema.Codec<unknown, unknown>>(schema: S, value: unknown): string | undefined => {
  const result = Schema.decodeUnknownResult(schema)(value)
  return Result.isFailure(result) ? result.failure.message : undefined
}

const inputs = Schema.toEncoded(PostcodeFromString)
const damage = Schema.Struct({
  at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 15 })),
  put: Schema.Literals(["", "-", " ", "a", "A", "0", "\u2013", "\u00a0", "\u0131"])
})

describe("Postcode", () => {
  it.prop(
    "generates canonical postcodes, which parse leaves as they are",
    [Postcode],
    ([postcode]) => {
      assert.isTrue(isCanonical(postcode))
      assert.deepStrictEqual(parse(postcode), { ok: true, postcode })
      assert.strictEqual(Schema.decodeUnknownSync(Postcode)(postcode), postcode)
    },
    runs
  )

  it("takes no other format", () => {
    for (const input of ["LA 12 A03 BG 07", "LA12A03BG07", "la-12-a03-bg-07", " LA-12-A03-BG-07", ""]) {
      assert.strictEqual(refusal(Postcode, input), "Expected a postcode in canonical format")
    }
  })
})

describe("PostcodeFromString", () => {
  it.prop(
    "decodes any text that its pattern accepts to the result of parse",
    [inputs],
    ([input]) => {
      assert.isTrue(isValid(input))
      const result = parse(input)
      assert.strictEqual(Schema.decodeUnknownSync(PostcodeFromString)(input), result.ok ? result.postcode : "")
    },
    runs
  )

  it.prop(
    "encodes a postcode as it is",
    [Postcode],
    ([postcode]) => {
      assert.strictEqual(Schema.encodeSync(PostcodeFromString)(postcode), postcode)
    },
    runs
  )

  it.prop(
    "refuses with the message of the parser",
    [Schema.String],
    ([input]) => {
      const result = parse(input)
      assert.strictEqual(refusal(PostcodeFromString, input), result.ok ? undefined : result.error.message)
    },
    runs
  )

  it("names the path of the field in which decoding goes wrong", () => {
    assert.strictEqual(
      refusal(Schema.Struct({ code: PostcodeFromString }), { code: "LA-1X-A03-BG-07" }),
      'lga: expected 2 digits at position 3\n  at ["code"]'
    )
  })

  it("has messages without the input", () => {
    assert.notInclude(refusal(PostcodeFromString, "22212345678") ?? "", "22212345678")
    assert.notInclude(refusal(PostcodeFromString, { nin: "22212345678" }) ?? "", "22212345678")
    assert.notInclude(refusal(Postcode, "22212345678") ?? "", "22212345678")
  })
})

describe("PartialPostcode", () => {
  it.prop(
    "generates what parsePartial leaves as it is",
    [PartialPostcode],
    ([partial]) => {
      const result = parsePartial(partial)
      assert.isTrue(result.ok && result.partial === partial && result.depth === partial.split("-").length)
    },
    runs
  )

  it("takes a prefix only where it ends with a segment, and only in canonical form", () => {
    for (const input of ["", "L", "LA-", "LA-1", "la", "LA12", "LA 12", "LA-12-A03-BG-07-", "LA "]) {
      assert.strictEqual(
        refusal(PartialPostcode, input),
        "Expected the start of a canonical postcode up to the end of a segment"
      )
    }
    for (const input of ["LA", "LA-12", "LA-12-A03", "LA-12-A03-BG", "LA-12-A03-BG-07"]) {
      assert.strictEqual(refusal(PartialPostcode, input), undefined)
    }
  })
})

describe("the segments", () => {
  const each = Schema.Struct({ state: State, lga: Lga, district: District, area: Area, unit: Unit })

  it.prop(
    "form a postcode together, and are the segments of every postcode",
    [each, Postcode],
    ([parts, postcode]) => {
      assert.isTrue(isCanonical(Object.values(parts).join("-")))
      assert.deepEqual(Schema.decodeUnknownSync(each)(segments(postcode)), segments(postcode))
    },
    runs
  )

  it("have messages with the expected characters", () => {
    assert.strictEqual(refusal(State, "la"), "expected 2 capital letters")
    assert.strictEqual(refusal(Lga, "1"), "expected 2 digits")
    assert.strictEqual(refusal(District, "A034"), "expected 3 capital letters or digits")
    assert.strictEqual(refusal(Area, "B7"), "expected 2 capital letters")
    assert.strictEqual(refusal(Unit, "\uff10\uff17"), "expected 2 digits")
  })

  it.prop(
    "are decoded in upper and lower case, and encoded unchanged",
    [Schema.toEncoded(StateFromString), Schema.toEncoded(DistrictFromString)],
    ([state, district]) => {
      assert.strictEqual(Schema.decodeUnknownSync(StateFromString)(state), state.toUpperCase())
      assert.strictEqual(Schema.decodeUnknownSync(DistrictFromString)(district), district.toUpperCase())
      assert.strictEqual(Schema.encodeSync(StateFromString)(state.toUpperCase()), state.toUpperCase())
    },
    runs
  )

  it("are decoded from ASCII only, not from letters whose upper case is ASCII", () => {
    for (const input of ["", "l", "lag", "l1", " la", "\u0131a", "\u00df"]) {
      assert.strictEqual(refusal(StateFromString, input), "expected 2 letters")
    }
    for (const input of ["a0", "a034", "a-3", "a0\u0131", "\ufb03"]) {
      assert.strictEqual(refusal(DistrictFromString, input), "expected 3 letters or digits")
    }
  })
})

describe("JSON Schema", () => {
  const schemas = {
    Postcode,
    PartialPostcode,
    State,
    Lga,
    District,
    Area,
    Unit,
    PostcodeInput: PostcodeFromString,
    StateInput: StateFromString,
    DistrictInput: DistrictFromString
  }

  /** The one definition that the document of a schema holds. */
  const definition = (name: keyof typeof schemas) => {
    const { schema, definitions } = Schema.toJsonSchemaDocument(schemas[name])
    assert.deepEqual(schema, { $ref: `#/$defs/${name}` })
    return definitions[name] as { type: string; pattern: string; description: string; examples: ReadonlyArray<string> }
  }

  it("shows each schema under its name, with a description, a pattern, and examples that fit the pattern", () => {
    for (const name of Object.keys(schemas) as ReadonlyArray<keyof typeof schemas>) {
      const { type, pattern, description, examples } = definition(name)
      assert.strictEqual(type, "string")
      assert.isAbove(description.length, 20)
      assert.isNotEmpty(examples)
      for (const example of examples) {
        assert.match(example, new RegExp(pattern, "u"))
        assert.strictEqual(refusal(schemas[name], example), undefined)
      }
    }
  })

  it.prop(
    "has patterns that accept the same texts as the parser",
    [inputs, Schema.Array(damage)],
    ([input, edits]) => {
      const damaged = edits.reduce((text, { at, put }) => text.slice(0, at) + put + text.slice(at + 1), input)
      assert.strictEqual(new RegExp(definition("PostcodeInput").pattern, "u").test(damaged), isValid(damaged))
      assert.strictEqual(new RegExp(definition("Postcode").pattern, "u").test(damaged), isCanonical(damaged))
      const partial = parsePartial(damaged)
      assert.strictEqual(
        new RegExp(definition("PartialPostcode").pattern, "u").test(damaged),
        partial.ok && partial.partial === damaged
      )
    },
    runs
  )
})
