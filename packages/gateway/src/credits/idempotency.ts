/** Hashes of an `Idempotency-Key` and its request, for the ledger. */

import type { Idempotency } from "@postcode/core/Credits"
import { Redacted } from "effect"
import type { Secrets } from "../store/Secrets.ts"

/**
 * Clients may send personal data in a key or a request, so only hashes under the pepper are kept.
 *
 * @param request everything that distinguishes the request from others
 */
export const idempotencyOf = (
  { hashIdentifier }: Secrets["Service"],
  key: string,
  request: ReadonlyArray<string | number>
): Idempotency => ({
  key: hashIdentifier(Redacted.make(key)),
  // As JSON, because a text may contain any separator.
  fingerprint: hashIdentifier(Redacted.make(JSON.stringify(request)))
})
