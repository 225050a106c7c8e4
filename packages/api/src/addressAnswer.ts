/** The answer of an address search, over HTTP with a key and in a widget session. */
import { Schema } from "effect"

const Precision = Schema.Literals(["state", "lga", "district", "area", "unit"])

const Candidate = Schema.Struct({
  code: Schema.String,
  precision: Precision,
  label: Schema.String,
  probability: Schema.Finite
}).annotate({
  identifier: "AddressCandidate",
  description: "A code that an address may belong to, with its probability."
})

const Ignored = Schema.Struct({
  kind: Schema.Literals(["person", "contact", "box", "code", "coordinates", "label", "country", "request", "sign"]),
  text: Schema.String
}).annotate({
  identifier: "AddressIgnored",
  description: "A part of the text that was set aside, as it is written: it says nothing about the house."
})

const Understood = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  locality: Schema.NullOr(Schema.String),
  lga: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String),
  relation: Schema.NullOr(Schema.String),
  subpremise: Schema.NullOr(Schema.String).annotate({
    description: "The part of a building: `Flat 3, Block B`. The building was searched for without it."
  }),
  ignored: Schema.Array(Ignored),
  unmatched: Schema.Array(Schema.String)
}).annotate({
  identifier: "AddressUnderstood",
  description:
    "The parts of the text that were understood or set aside, and the words that were not understood, or not searched for."
})

export const AddressAnswer = Schema.Struct({
  code: Schema.NullOr(Schema.String).annotate({
    description: "The deepest code that holds at least 95 % of the evidence; null if there is none."
  }),
  precision: Schema.NullOr(Precision),
  confidence: Schema.Literals(["high", "medium", "low"]),
  action: Schema.Literals(["accept", "confirm", "ask"]).annotate({
    description: "What a form should do: accept the code, let the user confirm it, or ask for what the message names."
  }),
  label: Schema.NullOr(Schema.String),
  understood: Understood,
  candidates: Schema.Array(Candidate).annotate({ description: "The most likely of the deepest codes, best first." }),
  message: Schema.String,
  limited_to: Schema.optionalKey(Schema.Literal("lga")).annotate({
    description:
      "Only states and LGAs were searched. With a key of level 2 or higher and the scope `search`, the same text may find more."
  })
}).annotate({
  identifier: "AddressAnswer",
  description: "The deepest code that an address search is sure of, and what a form should do with it."
})
