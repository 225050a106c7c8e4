/** What the ledger is told of an `Idempotency-Key`: hashes alone. */
import { Redacted } from "effect"
import type { Secrets } from "../store/Secrets.ts"
import type { Idempotency } from "./CreditLedger.ts"

/**
 * A client may send anything as its key, a person's number, too, and what it asks for may be as private. So nothing is
 * kept of either but a hash under the pepper.
 *
 * @param asked all that tells one request from another
 */
export const idempotencyOf = (
  { hashIdentifier }: Secrets["Service"],
  key: string,
  asked: ReadonlyArray<string | number>
): Idempotency => ({
  key: hashIdentifier(Redacted.make(key)),
  // As JSON, because a text in it may hold any separator.
  fingerprint: hashIdentifier(Redacted.make(JSON.stringify(asked)))
})
