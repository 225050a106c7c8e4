/**
 * Strict decoders of request parameters. Each error message names the expected format, and none repeats the input.
 * effect's own number schemas are not used: they accept `NaN`, `Infinity`, `0x10` and the empty string.
 */

import { type AccessLevel, accessLevels } from "@postcode/core/AccessLevel"
import { parseDecimal } from "@postcode/core/Decimal"
import { formatVersion, parseVersion } from "@postcode/core/Directory"
import { PostcodeFromString } from "@postcode/core/PostcodeSchema"
import { hasInvisible, isVisible } from "@postcode/core/VisibleText"
import { defaultChanges, maxChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { maxBatch, maxSearchText } from "@postcode/gateway/InputLimits"
import { containsKey } from "@postcode/gateway/keys/ApiKey"
import { pageOrders } from "@postcode/gateway/Page"
import { Context, Effect, Schema, SchemaGetter, SchemaIssue } from "effect"

const parseInteger = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN)

/** @param read returns the number, or NaN if the text is none */
const numberParameter = (read: (text: string) => number, minimum: number, maximum: number, expectation: string) =>
  Schema.String.annotate({ message: expectation }).pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transformEffect((text: string) => {
        const value = read(text)
        return Number.isFinite(value) && value >= minimum && value <= maximum
          ? Effect.succeed(value)
          : Effect.fail(new SchemaIssue.InvalidValue({ message: expectation }))
      }),
      encode: SchemaGetter.String<number>()
    }),
    Schema.annotate({ description: sentence(expectation) })
  )

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** A decimal number from `minimum` to `maximum`, inclusive. */
const decimal = (minimum: number, maximum: number, expectation: string) =>
  numberParameter(parseDecimal, minimum, maximum, expectation)

/** An integer from `minimum` to `maximum`, inclusive. */
const integer = (minimum: number, maximum: number, expectation: string) =>
  numberParameter(parseInteger, minimum, maximum, expectation)

const latitudeExpected = "expected a latitude in degrees from -90 to 90"
const longitudeExpected = "expected a longitude in degrees from -180 to 180"
const radiusExpected = "expected a radius in metres, 0 or more"

export const Latitude = decimal(-90, 90, latitudeExpected)
export const Longitude = decimal(-180, 180, longitudeExpected)
export const Radius = decimal(0, Number.POSITIVE_INFINITY, radiusExpected)
export const Limit = integer(1, 100, "expected a whole number from 1 to 100")

/** Number of changes of the directory. */
export const ChangesLimit = integer(1, maxChanges, `expected a whole number from 1 to ${maxChanges}`)

/** `true` or `false`. */
export const Flag = Schema.Literals(["true", "false"]).pipe(
  Schema.annotate({ message: "expected true or false" }),
  Schema.decodeTo(Schema.Boolean, {
    decode: SchemaGetter.transform((text: "false" | "true") => text === "true"),
    encode: SchemaGetter.transform((flag: boolean) => (flag ? "true" : "false"))
  })
)

const versionExpected = "expected a version from a response, such as 2026-1+17"

/** A version of the directory. In a query string, a plus sign means a space, which no version contains. */
export const Version = Schema.String.annotate({ message: versionExpected }).pipe(
  Schema.decodeTo(Schema.Struct({ edition: Schema.String, changes: Schema.Int }), {
    decode: SchemaGetter.transformEffect((text: string) => {
      const version = parseVersion(text.replace(" ", "+"))
      return version === undefined
        ? Effect.fail(new SchemaIssue.InvalidValue({ message: versionExpected }))
        : Effect.succeed(version)
    }),
    encode: SchemaGetter.transform(formatVersion)
  }),
  Schema.annotate({ description: "A version of the directory: an edition and the number of changes to it." })
)

const radius = (description: string, byDefault: number) => ({
  type: "number",
  minimum: 0,
  default: byDefault,
  description
})

const candidateLimit = { type: "integer", minimum: 1, maximum: 20, default: 5 }

/**
 * Other names of an endpoint's query parameters: `{ lon: "lng" }`. A request may send either name; both at once are
 * refused.
 */
export const Synonyms = Context.Reference<Readonly<Record<string, string>>>("@postcode/api/Synonyms", {
  defaultValue: () => ({})
})

/**
 * Schemas of query parameters that are no texts in the API description, by parameter name, or by operation and name
 * where they differ. On the wire they are text.
 */
export const parameterSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  lat: { type: "number", minimum: -90, maximum: 90, description: "Latitude, WGS 84 degrees." },
  lng: {
    type: "number",
    minimum: -180,
    maximum: 180,
    description: "Longitude, WGS 84 degrees. Alias: `lon`."
  },
  max_distance_m: radius("Metres. Larger values count as 250. Alias: `radius_m`.", 25),
  radius: radius("Metres. Larger values count as 2000. Alias: `radius_m`.", 300),
  limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  "directory.changes.limit": { type: "integer", minimum: 1, maximum: maxChanges, default: defaultChanges },
  coordinates: {
    type: "boolean",
    default: false,
    description: "Include coordinates. This needs level 5 and costs credits."
  },
  "search.address.limit": candidateLimit,
  "widget.address.limit": candidateLimit,
  "widget.nearby.limit": { type: "integer", minimum: 1, maximum: 20, default: 20 },
  "widget.nearby.radius": radius("Metres. Larger values count as 300. Alias: `radius_m`.", 300),
  level: { type: "integer", minimum: 1, maximum: 5, default: 1 }
}

/** An access level in a query. */
export const LevelParameter = integer(1, 5, "expected a whole number from 1 to 5").pipe(
  Schema.decodeTo(Schema.Literals(accessLevels as readonly [1, 2, 3, 4, 5]))
)

/** An access level in a body. */
export const Level = Schema.Literals(accessLevels as readonly [1, 2, 3, 4, 5]).annotate({
  message: "expected a whole number from 1 to 5",
  identifier: "AccessLevel",
  description: "An access level: how much of a unit is shown."
})
export type Level = AccessLevel

/** A postcode in any format. */
export const Code = PostcodeFromString

const addressExpected = `expected 1 to ${maxSearchText} characters`

/** The free text of an address search. */
export const AddressText = Schema.String.check(
  Schema.isMaxLength(maxSearchText, { message: addressExpected })
).annotate({
  description: `An address, a place or a postcode as people write it, of 1 to ${maxSearchText} characters.`
})

const candidateLimitExpected = "expected a whole number from 1 to 20"

/** Number of candidates of an address search. */
export const CandidateLimit = integer(1, 20, candidateLimitExpected)

/** The same in a body. */
export const CandidateLimitInBody = Schema.Number.annotate({ message: candidateLimitExpected }).check(
  Schema.isInt({ message: candidateLimitExpected }),
  Schema.isBetween({ minimum: 1, maximum: 20 }, { message: candidateLimitExpected })
)

const finiteNumber = (message: string) => Schema.Number.annotate({ message }).check(Schema.isFinite({ message }))

/** A radius in a body. */
export const RadiusInBody = finiteNumber(radiusExpected)
  .check(Schema.isGreaterThanOrEqualTo(0, { message: radiusExpected }))
  .annotate({ description: "Metres. Larger values count as the endpoint's maximum." })

/** The items of a batch. Only their form is checked here: a mistake in the value of an item is an error of that item. */
export const batchOf = <S extends Schema.Top>(item: S, items: string) =>
  Schema.Array(item).check(
    Schema.isMinLength(1, { message: `expected at least one of the ${items}` }),
    Schema.isMaxLength(maxBatch, { message: `expected at most ${maxBatch} ${items}` })
  )

/** A coordinate in a batch. */
export const LatLng = Schema.Struct({
  lat: finiteNumber(latitudeExpected).annotate({ description: "Latitude, WGS 84 degrees." }),
  lng: finiteNumber(longitudeExpected).annotate({ description: "Longitude, WGS 84 degrees." })
})

/** The mistake in a coordinate of a batch; undefined if it is in range. */
export const mistakeInPoint = ({ lat, lng }: typeof LatLng.Type): string | undefined => {
  if (Math.abs(lat) > 90) return `lat: ${latitudeExpected}`
  return Math.abs(lng) > 180 ? `lng: ${longitudeExpected}` : undefined
}

/** The mistake in a text of a batch of address searches; undefined if there is none. */
export const mistakeInAddress = (text: string): string | undefined =>
  text.length > 0 && text.length <= maxSearchText ? undefined : `q: ${addressExpected}`

/** Number of units of a nearby search in a widget session. */
export const SessionUnitLimit = integer(1, 20, "expected a whole number from 1 to 20")

/** The text to complete. */
export const SearchText = Schema.String.check(
  Schema.isMaxLength(maxSearchText, { message: `expected at most ${maxSearchText} characters` })
).annotate({ description: "A partial postcode, or a text that contains the name of a state or LGA." })

/** A day in UTC. */
export const Day = Schema.String.check(
  Schema.makeFilter((text) => isDay(text) || "expected a day as YYYY-MM-DD")
).annotate({ description: "A day in UTC, YYYY-MM-DD.", examples: ["2026-01-31"] })

/** Years start at 1000: PostgreSQL has no year 0, and a period may start some days earlier. */
const isDay = (text: string): boolean =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(Date.parse(text)).toISOString().startsWith(text)

const momentExpected = "expected a time in UTC such as 2026-01-31T12:00:00Z"

/** Only existing days, to the millisecond at most; `24:00` is refused, since it is the next day's `00:00`. */
const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/.test(text) && isDay(text.slice(0, 10))

/** A timestamp, as `Date.toISOString` formats it after decoding. */
export const Moment = Schema.String.annotate({ message: momentExpected }).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transformEffect((text: string) =>
      isMoment(text)
        ? Effect.succeed(new Date(text).toISOString())
        : Effect.fail(new SchemaIssue.InvalidValue({ message: momentExpected }))
    ),
    encode: SchemaGetter.passthrough()
  }),
  Schema.annotate({ description: "ISO 8601, UTC." })
)

/** A JWT of another server. Only its format is checked. */
export const Jwt = Schema.String.check(
  Schema.isPattern(/^[\w-]+\.[\w-]+\.[\w-]+$/, {
    message: "expected a JWT: three parts of base64url with dots between"
  }),
  Schema.isMaxLength(2_048, { message: "expected a JWT of at most 2048 characters" })
)

/** A path with an id parameter. */
export const idInPath = { params: { id: Schema.String } }

/** One of these values. */
export const oneOf = <const L extends string>(values: ReadonlyArray<L>) =>
  Schema.Literals(values).annotate({ message: `expected one of ${values.join(", ")}` })

/** The cursor of a page: a `next_cursor` from a response. */
const Cursor = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/u, { message: "expected the next_cursor of an earlier page" })
)

/** The query parameters of every list. */
export const pageQuery = { limit: Schema.optionalKey(Limit), cursor: Schema.optionalKey(Cursor) }

/** The query parameters of lists with a selectable order. */
export const orderedPageQuery = {
  ...pageQuery,
  order: Schema.optionalKey(
    oneOf(pageOrders).annotate({
      description: "The order of the list. Default: newest first. A cursor is valid only for the order of its page."
    })
  )
}

/** Several values in one parameter, separated by commas. */
export const SomeOf = <const L extends string>(values: ReadonlyArray<L>, message: string) =>
  Schema.String.annotate({ message }).pipe(
    Schema.decodeTo(Schema.Array(Schema.Literals(values)), {
      decode: SchemaGetter.transformEffect((text: string) => {
        const parts = text.split(",")
        const known = values.filter((value) => parts.includes(value))
        return parts.every((part) => known.some((value) => value === part))
          ? Effect.succeed(known)
          : Effect.fail(new SchemaIssue.InvalidValue({ message }))
      }),
      encode: SchemaGetter.transform((some: ReadonlyArray<string>) => some.join(","))
    })
  )

/**
 * Free text: trimmed, with a visible character, without control characters, without invisible characters, which hide or
 * reorder others, and without lone surrogates, which UTF-8 cannot encode.
 */
export const Text = (maxLength: number) =>
  Schema.Trim.check(
    Schema.makeFilter(
      (text) =>
        (text.length > 0 && text.length <= maxLength && !/[\p{Cc}\p{Cs}]/u.test(text)) ||
        `expected 1 to ${maxLength} characters without control characters`
    ),
    Schema.makeFilter(
      (text) =>
        (isVisible(text) && !hasInvisible(text)) || "expected visible characters, without hidden or reordering ones"
    ),
    Schema.makeFilter((text) => !containsKey(text) || "expected a text without an API key: it is stored")
  )
