/** Sends due notices by mail while the scope is open. */
import { Clock, Effect, Redacted, type Scope } from "effect"
import type { Unavailable } from "../Errors.ts"
import { retryDelay_ms, spreadOf } from "../outbox/retries.ts"
import { attempt_ms, sendDue } from "../outbox/sendDue.ts"
import { SupportContact } from "../SupportContact.ts"
import { Secrets } from "../store/Secrets.ts"
import { composeMail } from "./composeMail.ts"
import { MailOrigin } from "./MailOrigin.ts"
import { type MailAnswer, MailTransport } from "./MailTransport.ts"
import { isOptional, type NoticeSettlement, rulesOf, type StoredNotice } from "./Notice.ts"
import { NoticeSecrets } from "./NoticeSecrets.ts"
import { type LeasedNotice, Notices } from "./Notices.ts"
import { unsubscribeToken } from "./unsubscribe.ts"

type Ports = MailTransport | Notices | NoticeSecrets | Secrets

/**
 * One process sends at a time, see `Notices.lease`. A notice that failed is sent again after 1 minute to 24 hours, until
 * its link expires or it is too old.
 *
 * @param countReviews the number of reviews that wait for an operator
 */
export const sendNotices = (
  countReviews: Effect.Effect<number, Unavailable>
): Effect.Effect<void, never, Ports | Scope.Scope> =>
  Effect.gen(function* () {
    const { isOn, lease, settle } = yield* Notices
    const attempt = yield* makeAttempt(countReviews)
    yield* sendDue({ name: "mail", concurrency: mailConcurrency, hasWork: isOn, lease, attempt, settle })
  })

/** Also the number of connections to the mail server. */
export const mailConcurrency = 4

/** Sends one notice once. */
const makeAttempt = (countReviews: Effect.Effect<number, Unavailable>) =>
  Effect.gen(function* () {
    const transport = yield* MailTransport
    const links = yield* NoticeSecrets
    const hashes = yield* Secrets
    const public_url = yield* MailOrigin
    const support_contact = yield* SupportContact

    const send = Effect.fnUntraced(function* ({ notice, organization_name, sealed_token }: LeasedNotice) {
      const { account_id, id, kind } = notice
      const token = sealed_token === undefined ? undefined : links.open(id, sealed_token)
      if (rulesOf(kind).hasLink === true && token === undefined) return unreadable
      // While the store is unavailable, the letter does without the number.
      const reviews = kind === "review_waiting" ? yield* Effect.catch(countReviews, () => Effect.succeed(1)) : 0
      if (kind === "review_waiting" && reviews === 0) return noReview
      const unsubscribe_token =
        isOptional(kind) && account_id !== undefined ? unsubscribeToken(links, { account_id, kind }) : undefined
      const context = { organization_name, token: token && Redacted.value(token), reviews }
      const mail = composeMail({ notice, public_url, support_contact, ...context, unsubscribe_token })
      const answer = yield* Effect.timeoutOrElse(transport.send(mail), {
        duration: attempt_ms,
        orElse: () => Effect.succeed(unanswered)
      })
      return settlementOf(answer, notice, spreadOf(id, notice.attempts, hashes))
    })

    return Effect.fnUntraced(function* (leased: LeasedNotice) {
      return outOfDate(leased.notice, yield* Clock.currentTimeMillis) ?? (yield* send(leased))
    })
  })

const minute_ms = 60_000
const hour_ms = 60 * minute_ms

/** Minimum delay before each further attempt. */
const delays_ms: ReadonlyArray<number> = [
  minute_ms,
  5 * minute_ms,
  15 * minute_ms,
  30 * minute_ms,
  hour_ms,
  2 * hour_ms,
  4 * hour_ms,
  8 * hour_ms,
  24 * hour_ms
]

/** Above the sum of all delays. Older notices, as after mail was off for a while, would mislead. */
const maxAge_ms = 72 * hour_ms

/** Why a notice is no longer sent; undefined if it is. */
const outOfDate = ({ created_at, link_expires_at }: StoredNotice, now_ms: number): NoticeSettlement | undefined => {
  if (link_expires_at !== undefined && Date.parse(link_expires_at) <= now_ms) {
    return { status: "skipped", fault: "its link expired before it could be sent" }
  }
  return now_ms - Date.parse(created_at) > maxAge_ms
    ? { status: "skipped", fault: "it is older than 3 days" }
    : undefined
}

/** The new state of a notice after an attempt. */
const settlementOf = (answer: MailAnswer, { attempts }: StoredNotice, spread: number): NoticeSettlement => {
  if (answer._tag === "Accepted") return { status: "sent" }
  const after_ms = answer._tag === "Postponed" ? retryDelay_ms(delays_ms, attempts, spread) : undefined
  return after_ms === undefined
    ? { status: "failed", fault: answer.fault }
    : { status: "pending", after_ms, fault: answer.fault }
}

const unanswered: MailAnswer = { _tag: "Postponed", fault: "no response in time" }

const unreadable: NoticeSettlement = {
  status: "failed",
  fault: "its link was encrypted with a service secret that was removed"
}

const noReview: NoticeSettlement = { status: "skipped", fault: "no review waits any more" }
