/** URLs to which the service sends requests. */
import { webhookLimits } from "@postcode/gateway/InputLimits"
import { Effect, Option, Schema, SchemaGetter, SchemaIssue } from "effect"

const expected = `expected an address such as https://example.com/hooks, at most ${webhookLimits.url} characters, without user, password and #`

const parseUrl = Schema.decodeOption(Schema.URLFromString)

/** An http or https URL, as `URL` formats it after decoding. */
export const WebAddress = Schema.String.annotate({ message: expected }).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transformEffect((text: string) =>
      Option.match(Option.filter(parseUrl(text), isPlain), {
        onSome: ({ href }) => Effect.succeed(href),
        onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: expected }))
      })
    ),
    encode: SchemaGetter.passthrough()
  }),
  Schema.annotate({ description: "An https address on the public internet.", examples: ["https://example.com/hooks"] })
)

function isPlain({ hash, href, password, protocol, username }: typeof Schema.URLFromString.Type): boolean {
  const isWeb = protocol === "https:" || protocol === "http:"
  return isWeb && href.length <= webhookLimits.url && `${username}${password}${hash}` === "" && !href.endsWith("#")
}
