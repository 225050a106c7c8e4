/**
 * The postcode as effect Schemas, for the wire contract and for decoding. `Postcode.ts` decides what is well formed;
 * the patterns here describe the same for JSON Schema and for generators of test data.
 */
import { Exit, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as Grammar from "./Postcode.ts"

/** A whole postcode in canonical format: `LA-12-A03-BG-07`. */
export const Postcode = Schema.String.pipe(
  Schema.refine(
    Grammar.isCanonical,
    described(/^[A-Z]{2}-[0-9]{2}-[A-Z0-9]{3}-[A-Z]{2}-[0-9]{2}$/u, "a postcode in canonical format")
  )
).annotate({
  identifier: "Postcode",
  description: "A postcode in canonical format: state, LGA, district, area and unit, joined by dashes.",
  examples: ["LA-12-A03-BG-07" as Grammar.Postcode]
})
export type Postcode = Grammar.Postcode

/** The start of a canonical postcode up to the end of a segment: `LA`, `LA-12`, `LA-12-A03`, `LA-12-A03-BG`, or all. */
export const PartialPostcode = Schema.String.pipe(
  Schema.refine(
    (value): value is Grammar.PartialPostcode => {
      const result = Grammar.parsePartial(value)
      return result.ok && result.partial === value
    },
    described(
      /^[A-Z]{2}(?:-[0-9]{2}(?:-[A-Z0-9]{3}(?:-[A-Z]{2}(?:-[0-9]{2})?)?)?)?$/u,
      "the start of a canonical postcode up to the end of a segment"
    )
  )
).annotate({
  identifier: "PartialPostcode",
  description: "The start of a canonical postcode up to the end of a segment.",
  examples: [
    "LA",
    "LA-12",
    "LA-12-A03",
    "LA-12-A03-BG"
  ] as ReadonlyArray<string> as ReadonlyArray<Grammar.PartialPostcode>
})
export type PartialPostcode = Grammar.PartialPostcode

/** Typed or pasted input. The filter accepts everything and only carries the pattern: decoding parses the input. */
const PostcodeInput = Schema.String.check(
  Schema.makeFilter(() => true, described(anyFormatPattern(), "a postcode in any format"))
).annotate({
  identifier: "PostcodeInput",
  description:
    "A postcode in any format and either case, with white space around it: dashes between the segments, or single " +
    "spaces, or nothing.",
  examples: ["LA-12-A03-BG-07", "LA 12 A03 BG 07", "la12a03bg07"]
})

/** Why a text is not a postcode. The message contains no part of the text; `text` is for a search for corrections. */
export class MalformedPostcode extends SchemaIssue.InvalidValue {
  readonly text: string

  constructor(text: string, { message }: Grammar.ParseError) {
    super({ message })
    this.text = text
  }
}

/**
 * Decodes a postcode in any format to canonical format. The issue is a `MalformedPostcode`, whose message names the
 * segment and contains no part of the input.
 *
 * ```ts
 * Schema.decodeUnknownSync(PostcodeFromString)(" la 12 a03 bg 07 ") // "LA-12-A03-BG-07"
 * ```
 */
export const PostcodeFromString = PostcodeInput.pipe(
  Schema.decodeTo(
    Postcode,
    SchemaTransformation.transformEffect<string, string>({
      decode: (input) => {
        const result = Grammar.parse(input)
        return result.ok ? Exit.succeed(result.postcode) : Exit.fail(new MalformedPostcode(input, result.error))
      },
      encode: Exit.succeed
    })
  )
)

/** The code of a state. */
export const State = segment(/^[A-Z]{2}$/u, "expected 2 capital letters", {
  identifier: "State",
  description: "The code of a state: 2 letters.",
  examples: ["LA"]
})

/** The code of an LGA within its state. */
export const Lga = segment(/^[0-9]{2}$/u, "expected 2 digits", {
  identifier: "Lga",
  description: "The code of a local government area within its state: 2 digits.",
  examples: ["12"]
})

/** The code of a district within its LGA. */
export const District = segment(/^[A-Z0-9]{3}$/u, "expected 3 capital letters or digits", {
  identifier: "District",
  description: "The code of a district within its local government area: 3 letters or digits.",
  examples: ["A03"]
})

/** The code of an area within its district. */
export const Area = segment(/^[A-Z]{2}$/u, "expected 2 capital letters", {
  identifier: "Area",
  description: "The code of an area within its district: 2 letters.",
  examples: ["BG"]
})

/** The code of a unit within its area. */
export const Unit = segment(/^[0-9]{2}$/u, "expected 2 digits", {
  identifier: "Unit",
  description: "The code of a delivery unit within its area: 2 digits.",
  examples: ["07"]
})

/** Decodes the code of a state in either case to upper case. */
export const StateFromString = segment(/^[A-Za-z]{2}$/u, "expected 2 letters", {
  identifier: "StateInput",
  description: "The code of a state in either case: 2 letters.",
  examples: ["LA", "la"]
}).pipe(Schema.decodeTo(State, SchemaTransformation.toUpperCase()))

/** Decodes the code of a district in either case to upper case. */
export const DistrictFromString = segment(/^[A-Za-z0-9]{3}$/u, "expected 3 letters or digits", {
  identifier: "DistrictInput",
  description: "The code of a district within its local government area, in either case: 3 letters or digits.",
  examples: ["A03", "a03"]
}).pipe(Schema.decodeTo(District, SchemaTransformation.toUpperCase()))

function segment(
  pattern: RegExp,
  message: string,
  documentation: { readonly identifier: string; readonly description: string; readonly examples: ReadonlyArray<string> }
) {
  return Schema.String.check(Schema.isPattern(pattern, { message })).annotate(documentation)
}

/** Annotations that give a custom filter its pattern in JSON Schema and in generators. */
function described(pattern: RegExp, expected: string): Schema.Annotations.Filter {
  return {
    expected,
    toJsonSchema: () => ({ pattern: pattern.source }),
    arbitraryConstraint: { patterns: [{ source: pattern.source, flags: pattern.flags }] }
  }
}

function anyFormatPattern(): RegExp {
  const grammar = ["[A-Za-z]{2}", "[0-9]{2}", "[A-Za-z0-9]{3}", "[A-Za-z]{2}", "[0-9]{2}"]
  const separators = ["", "[-\\u2010-\\u2014\\u2212]", "[ \\u00A0\\u202F]"]
  return new RegExp(`^\\s*(?:${separators.map((separator) => grammar.join(separator)).join("|")})\\s*$`, "u")
}
