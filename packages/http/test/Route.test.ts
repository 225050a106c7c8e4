import { Api, readTextOf } from "@postcode/api"
import { compact, display } from "@postcode/core/Postcode"
import { Exit, Schema, SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyPostcode } from "./anyPostcode.ts"

/** The parameters of all queries that are read without their schema, by name. */
const parameters = new Map<string, SchemaAST.AST>()

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const ast = endpoint.query?.ast
    if (ast === undefined || !SchemaAST.isObjects(ast)) return
    for (const { name, type } of ast.propertySignatures) {
      if (readTextOf(type) !== undefined) parameters.set(String(name), type)
    }
  }
})

/** Such as are sent, such as are nearly right, and any. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 130 }),
  fc.double().map(String),
  fc.integer({ min: -2, max: 130 }).map(String),
  fc.stringMatching(/^[-+]?[0-9]{0,4}\.?[0-9]{0,4}(e[-+]?[0-9]{1,3})?$/),
  anyPostcode.chain((code) =>
    fc.constantFrom(code, code.toLowerCase(), display(code), compact(code), ` ${code} `, `${code}1`)
  )
)

describe("a parameter that is read without its schema", () => {
  it("is any that hot endpoints take", () => {
    expect([...parameters.keys()].sort()).toEqual(["code", "lat", "level", "limit", "lon", "q", "radius_m"])
  })

  it.each([...parameters])(
    "%s: has the value that the schema says, and is refused where the schema refuses",
    (_, type) => {
      const read = readTextOf(type) as (text: string) => unknown
      const decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(type))
      fc.assert(
        fc.property(text, (text) => {
          const exit = decode(text)
          expect(read(text)).toBe(Exit.isSuccess(exit) ? exit.value : undefined)
        }),
        { seed: 20_260_131, numRuns: 1_000 }
      )
    }
  )
})
