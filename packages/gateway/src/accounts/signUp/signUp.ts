/**
 * Signs up: a stranger opens an account. Until the link in the mail is opened, nothing shows whether the address has an
 * account: neither content, length and time of the answer, nor whether mail is sent.
 */
import { Clock, Effect, Redacted } from "effect"
import { InsufficientScope, InvalidParameter, RateLimitExceeded, type Unavailable } from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import { NoticeSecrets } from "../../notices/NoticeSecrets.ts"
import { Notices } from "../../notices/Notices.ts"
import { type NoticePorts, notifying } from "../../notices/notify.ts"
import { Secrets } from "../../store/Secrets.ts"
import { Transactions } from "../../store/Transactions.ts"
import { checkPassword, readEmail, tokenLength } from "../Account.ts"
import { Accounts } from "../Accounts.ts"
import { limitAttempts } from "../limitAttempts.ts"
import { type AccountLink, linkLifetime_ms, type SignUpOrigin } from "../links/AccountLink.ts"
import { AccountLinks } from "../links/AccountLinks.ts"
import { Passwords } from "../Passwords.ts"
import { Terms } from "../Terms.ts"
import { networkOf } from "./networkOf.ts"
import { isOfDomain, SignUpSettings } from "./SignUpSettings.ts"

/** Why an instance takes no sign-ups now: by its settings, without mail, or because an operator stopped them. */
export type SignUpClosed = "no_mail" | "off" | "stopped"

/** What the page of a sign-up shows. */
export interface SignUpState {
  /** Undefined if sign-ups are taken. */
  readonly closed: SignUpClosed | undefined
  /** The only domains whose addresses may sign up; undefined for any. */
  readonly domains: ReadonlyArray<string> | undefined
  readonly terms: Terms
  /** Whether mail is sent, such as to reset a password. */
  readonly sendsMail: boolean
  readonly isMailPrinted: boolean
}

/** The request. */
export interface SignUpRequest {
  readonly email: string
  readonly password: Redacted.Redacted<string>
  /** The versions of the documents that the page showed, see `acceptedVersions`; undefined if it showed none. */
  readonly accepted: string | undefined
  /** The client's address. */
  readonly address: string
}

/** Both are for anyone, from the service's own pages. */
export interface SignUp {
  readonly state: Effect.Effect<SignUpState, Unavailable>
  /**
   * Sends a mail to the address: with a link that opens the account; or that it has an account. Fails only for reasons
   * that do not depend on whether it has one.
   */
  readonly request: (
    request: SignUpRequest
  ) => Effect.Effect<void, InsufficientScope | InvalidParameter | RateLimitExceeded | Unavailable>
}

/** The versions of an instance's documents in one text: `terms 2026-11-01, privacy 2026-11-01`; empty without any. */
export const acceptedVersions = ({ privacy, terms }: Terms): string =>
  [terms && `terms ${terms.version}`, privacy && `privacy ${privacy.version}`].filter(Boolean).join(", ")

/** The link, its notice and the address's limits are one transaction. */
export const signUp: Effect.Effect<
  SignUp,
  never,
  AccountLinks | Accounts | NoticePorts | Passwords | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const settings = yield* SignUpSettings
  const terms = yield* Terms
  const accounts = yield* Accounts
  const links = yield* AccountLinks
  const passwords = yield* Passwords
  const secrets = yield* Secrets
  const notices = yield* Notices
  const { seal } = yield* NoticeSecrets
  const { atomically } = yield* Transactions
  const attempts = yield* limitAttempts
  const notify = yield* notifying

  const closed = Effect.gen(function* () {
    const isStopped = yield* links.isSignUpStopped()
    if (settings.mode === "off") return "off"
    if (!notices.isOn()) return "no_mail"
    return isStopped ? "stopped" : undefined
  })

  const send = Effect.fnUntraced(function* (email: string, link: AccountLink, client: string) {
    const token = Redacted.make(secrets.random(tokenLength))
    const account_id = yield* accounts.idOfEmail(email)
    const isKnown = account_id !== undefined
    const stored = yield* links.addSignUp(secrets.hash(token), { ...link, is_void: isKnown }, originOf(secrets, client))
    if (!stored) return yield* tooManySignUps
    if (!isKnown) {
      const link_ = { token, expires_at: link.expires_at }
      return yield* notify({ kind: "confirm_address", facts: {}, email, link: link_, client })
    }
    // As long as for a link.
    seal(email, token)
    return yield* notify({ kind: "already_has_account", facts: {}, email, account_id, client })
  })

  return {
    state: Effect.map(closed, (closed) => ({
      closed,
      domains: settings.mode === "domains" ? settings.domains : undefined,
      terms,
      sendsMail: notices.isOn(),
      isMailPrinted: settings.isMailPrinted
    })),

    request: Effect.fnUntraced(function* ({ accepted = "", address, email: raw, password }) {
      yield* attempts.ofAddress(address)
      const reason = yield* closed
      if (reason !== undefined) return yield* signUpClosed(reason)
      const email = yield* Effect.fromResult(readEmail(raw))
      yield* Effect.fromResult(checkPassword(password, email))
      if (accepted !== acceptedVersions(terms)) return yield* notAccepted
      if (!isOfDomain(settings, email)) return yield* otherDomain(settings.domains)
      yield* attempts.atAccount(`sign up ${email}`, address)
      // Before the address is looked up, so that it is known to nobody how long the hash took.
      const hashed = yield* passwords.hash(password)
      const now_ms = yield* Clock.currentTimeMillis
      const link: AccountLink = {
        kind: "sign_up",
        email,
        password: hashed,
        ...(accepted !== "" && { accepted }),
        created_at: new Date(now_ms).toISOString(),
        expires_at: new Date(now_ms + linkLifetime_ms.sign_up).toISOString(),
        is_void: false
      }
      // A notice above the limits of its address or client is not stored, and the answer is the same.
      yield* atomically(send(email, link, address))
    })
  }
})

const originOf = ({ hashIdentifier }: Secrets["Service"], client: string): SignUpOrigin => ({
  client_hash: hashIdentifier(Redacted.make(`sign-up client ${client}`)),
  network_hash: hashIdentifier(Redacted.make(`sign-up network ${networkOf(client)}`))
})

/** The error while no sign-ups are taken. */
export const signUpClosed = (reason: SignUpClosed): InsufficientScope =>
  new InsufficientScope({ message: words[reason] })

const words: Readonly<Record<SignUpClosed, string>> = {
  off: "this service takes no sign-ups: ask its operator for an invitation",
  no_mail: "this service takes no sign-ups, because it sends no mail: ask its operator for an invitation",
  stopped: "this service takes no sign-ups at the moment: try again later, or ask its operator for an invitation"
}

const otherDomain = (domains: ReadonlyArray<string>): InsufficientScope =>
  new InsufficientScope({ message: `only addresses of these domains can sign up here: ${domains.join(", ")}` })

const notAccepted = new InvalidParameter({
  parameter: "accepted",
  message: "accepted: the terms or the privacy policy changed: reload the page, and read them again"
})

const tooManySignUps = new RateLimitExceeded({ retry_after_s: 3_600 })
