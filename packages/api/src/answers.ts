/** What answers have in common, whatever they are of. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** Every success holds its payload in `data`. */
export const Data = <S extends Schema.Top>(schema: S) => Schema.Struct({ data: schema })

/** A success that made something: status 201. */
export const created = HttpApiSchema.status(201)

/** A moment, as `Date.toISOString` writes it. */
export const Timestamp = Schema.String.annotate({ description: "ISO 8601, UTC." })

/** Where the next page of a list begins, for the query of that; null at the end. */
export const NextCursor = Schema.NullOr(Schema.String)
