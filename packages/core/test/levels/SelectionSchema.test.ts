/** `vectors/selection.schema.json` says in JSON Schema what `PostcodeSelection` says in TypeScript. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Schema } from "effect"
import {
  makeSelection,
  type Picked,
  type PostcodeSelection,
  type SelectionLevel,
  selectionSources
} from "../../src/levels/Selection.ts"
import { PartialPostcode } from "../../src/postcode/PostcodeSchema.ts"
import { vectorJson } from "../Vectors.ts"

interface Part {
  readonly required: ReadonlyArray<string>
  readonly properties: Readonly<Record<string, unknown>>
}

const schema = vectorJson<{
  readonly required: ReadonlyArray<string>
  readonly properties: Readonly<Record<string, unknown>> & {
    readonly segments: Part
    readonly names: Part
    readonly level: { readonly enum: ReadonlyArray<number> }
    readonly source: { readonly enum: ReadonlyArray<string> }
  }
}>("selection.schema.json")

// The branches for each level repeat no types.
const isValid = new Ajv2020({ strict: true, strictTypes: false }).compile(schema)

/** The one rule that the schema cannot say. */
const agrees = ({ formatted, postcode, segments }: PostcodeSelection): boolean => {
  const codes = Object.values(segments).filter((code) => code !== null)
  return codes.join("-") === formatted && codes.join("") === postcode
}

/** Which fields of a type are required. It does not compile where one is missing, is too many, or is said wrongly. */
type Needs<A> = { readonly [K in keyof A]-?: Record<never, never> extends Pick<A, K> ? "optional" : "required" }

const fields: Needs<PostcodeSelection> = {
  version: "required",
  postcode: "required",
  formatted: "required",
  level: "required",
  segments: "required",
  names: "required",
  address: "optional",
  latitude: "optional",
  longitude: "optional",
  source: "required",
  label: "optional"
}
const segments: Needs<PostcodeSelection["segments"]> = {
  state: "required",
  lga: "required",
  district: "required",
  area: "required",
  unit: "required"
}
const names: Needs<PostcodeSelection["names"]> = {
  state: "required",
  lga: "required",
  district: "required",
  area: "required"
}
const levels: { readonly [level in SelectionLevel]: level } = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 }
const sources: { readonly [source in PostcodeSelection["source"]]: source } = {
  bookmark: "bookmark",
  search: "search",
  discover: "discover"
}

/** What may be picked. */
const name = Schema.NullOr(Schema.String)
const picks = Schema.Struct({
  code: PartialPostcode,
  served_level: Schema.Literals([1, 2, 3, 4, 5]),
  names: Schema.optionalKey(Schema.Struct({ state: name, lga: name, district: name, area: name })),
  address: Schema.optionalKey(Schema.String),
  coordinate: Schema.optionalKey(
    Schema.Struct({
      lat: Schema.Finite.check(Schema.isBetween({ minimum: -90, maximum: 90 })),
      lon: Schema.Finite.check(Schema.isBetween({ minimum: -180, maximum: 180 }))
    })
  ),
  source: Schema.Literals(selectionSources),
  label: Schema.optionalKey(Schema.String)
})

describe("the schema of selections", () => {
  const good =
    vectorJson<
      ReadonlyArray<{ readonly rule: string; readonly picked: Picked; readonly selection: PostcodeSelection }>
    >("selection.json")
  const bad =
    vectorJson<
      ReadonlyArray<{ readonly rule: string; readonly refused_by: string; readonly selection: PostcodeSelection }>
    >("selection-bad.json")

  it.each(good)("takes vectors/selection.json: $rule", ({ selection }) => {
    assert.isTrue(isValid(selection), JSON.stringify(isValid.errors))
    assert.isTrue(agrees(selection))
  })

  it.each(bad)("refuses vectors/selection-bad.json: $rule", ({ refused_by, selection }) => {
    assert.strictEqual(isValid(selection), refused_by !== "schema")
    if (refused_by !== "schema") assert.isFalse(agrees(selection))
  })

  it("the valid vectors have every depth at every served level from a search and a bookmark", () => {
    const seen = new Set(
      good.flatMap(({ picked: { served_level, source }, selection: { level } }) =>
        source === "discover" ? [] : [`${level} ${served_level} ${source}`]
      )
    )
    assert.strictEqual(seen.size, 50)
  })

  it("each invalid vector breaks another rule", () => {
    assert.strictEqual(new Set(bad.map(({ rule }) => rule)).size, bad.length)
  })

  it.prop(
    "accepts every selection of the widget",
    [picks],
    ([picked]) => {
      const selection = makeSelection(picked)
      assert.isTrue(isValid(selection), JSON.stringify(isValid.errors))
      assert.isTrue(agrees(selection))
    },
    { arbitrary: { seed: 774, runs: 1_000 } }
  )

  it("has the fields of the type, and requires those that are always present", () => {
    assert.sameMembers(Object.keys(schema.properties), Object.keys(fields))
    assert.sameMembers([...schema.required], requiredOf(fields))
    for (const [part, needs] of [["segments", segments] as const, ["names", names] as const]) {
      assert.sameMembers(Object.keys(schema.properties[part].properties), Object.keys(needs))
      assert.sameMembers([...schema.properties[part].required], requiredOf(needs))
    }
    assert.sameMembers([...schema.properties.level.enum], Object.values(levels))
    assert.sameMembers([...schema.properties.source.enum], Object.values(sources))
  })
})

const requiredOf = (needs: Readonly<Record<string, string>>): Array<string> =>
  Object.keys(needs).filter((field) => needs[field] === "required")
