/** Schemas that all responses share. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** Every successful response has its payload in `data`. */
export const Data = <S extends Schema.Top>(schema: S) => Schema.Struct({ data: schema })

/** The response of a creation: status 201. */
export const created = HttpApiSchema.status(201)

/** The status of a call whose effect comes later, such as by mail. */
export const accepted = HttpApiSchema.status(202)

/** A timestamp, as `Date.toISOString` formats it. */
export const Timestamp = Schema.String.annotate({ description: "ISO 8601, UTC." })

/** The cursor of the next page of a list; null on the last page. */
export const NextCursor = Schema.NullOr(Schema.String)

/** The operator's map, in answers to widgets and to the console. */
export const MapStyle = Schema.optionalKey(
  Schema.String.annotate({
    description:
      "The operator's MapLibre style for maps; a path is one of the gateway. `{scheme}` means `light` or `dark`."
  })
)
