/** Raises notices within the transaction of the change that they tell of. */
import { Effect, Redacted } from "effect"
import { newId } from "../audit/audit.ts"
import type { Unavailable } from "../Errors.ts"
import { Secrets } from "../store/Secrets.ts"
import { Transactions } from "../store/Transactions.ts"
import type { AccountNotice, AddressNotice, Notice } from "./Notice.ts"
import { NoticeSecrets } from "./NoticeSecrets.ts"
import { type NewNotice, type NoticeOutcome, Notices, type PersonalNotice } from "./Notices.ts"

/** The ports that `notify` and `notified` need. */
export type NoticePorts = Notices | NoticeSecrets | Secrets

/**
 * Stores a notice. Call it within `Transactions.atomically` of the change, or use `notified`.
 *
 * ```ts
 * const notify = yield* notifying
 * yield* notify({ kind: "reset_password", facts: {}, email, link: { token, expires_at }, client: address })
 * ```
 */
export const notifying: Effect.Effect<
  (notice: Notice) => Effect.Effect<NoticeOutcome, Unavailable>,
  never,
  NoticePorts
> = Effect.gen(function* () {
  const notices = yield* Notices
  const { seal } = yield* NoticeSecrets
  const { hashIdentifier } = yield* Secrets
  const identify = yield* newId

  const personal = (notice: AccountNotice | AddressNotice): PersonalNotice => {
    const id = identify("ntc")
    const { client, email, isWithheld, link } = "email" in notice ? notice : ofAccount
    return {
      id,
      kind: notice.kind,
      facts: notice.facts,
      email,
      account_id: notice.account_id,
      // Also sealed if it is withheld, so that both take the same time.
      sealed_token: link && seal(id, link.token),
      link_expires_at: link?.expires_at,
      client_hash: client === undefined ? undefined : hashIdentifier(Redacted.make(`client ${client}`)),
      isWithheld: isWithheld ?? false
    }
  }
  const toStore = (notice: Notice): NewNotice =>
    "email" in notice || "account_id" in notice ? personal(notice) : notice

  return (notice) => notices.add(toStore(notice))
})

const ofAccount = { client: undefined, email: undefined, isWithheld: undefined, link: undefined }

/**
 * Runs a change and stores its notices in one transaction, as `announced` does with events.
 *
 * @param noticesOf the notices for the result of the change
 */
export type Notified = <A, E, R>(
  change: Effect.Effect<A, E, R>,
  noticesOf: (answer: A) => ReadonlyArray<Notice>
) => Effect.Effect<A, E | Unavailable, R>

/** Nested around `audited`, the notices come after the audit entry, in the same transaction. */
export const notified: Effect.Effect<Notified, never, NoticePorts | Transactions> = Effect.gen(function* () {
  const notify = yield* notifying
  const { atomically } = yield* Transactions

  return (change, noticesOf) =>
    atomically(Effect.tap(change, (answer) => Effect.forEach(noticesOf(answer), notify, { discard: true })))
})
