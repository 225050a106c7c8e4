/** The IP addresses and ranges that a secret key can be bound to. */
import { keyLimits } from "@postcode/gateway/InputLimits"
import { canonicalRange } from "@postcode/gateway/keys/AllowedIps"
import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"

const expected =
  "expected an IP address or a range from its first address on, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32"

/** In canonical form after decoding. */
const IpRange = Schema.String.annotate({ message: expected }).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transformEffect((text: string) => {
      const range = canonicalRange(text)
      return range === undefined
        ? Effect.fail(new SchemaIssue.InvalidValue({ message: expected }))
        : Effect.succeed(range)
    }),
    encode: SchemaGetter.passthrough()
  }),
  Schema.annotate({ description: "An IP address or a CIDR range.", examples: ["203.0.113.0/24"] })
)

/** The addresses that may use a key; empty for any. */
export const AllowedIps = Schema.Array(IpRange).check(
  Schema.isMaxLength(keyLimits.allowed_ips, {
    message: `expected at most ${keyLimits.allowed_ips} addresses and ranges`
  })
)
