/** Opens the account and the organization of a sign-up, with the link from the mail, and signs in. */
import { Effect, type Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { auditedAll, entryOf, newId, timestamp } from "../../audit/audit.ts"
import type { Conflict } from "../../Errors.ts"
import {
  InsufficientScope,
  InvalidParameter,
  type InvalidToken,
  type RateLimitExceeded,
  type Unavailable
} from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import { type Manager, permit } from "../../ManagementAccess.ts"
import { OpeningCredits } from "../../organizations/OpeningCredits.ts"
import { newOrganization } from "../../organizations/Organization.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { type Account, invalidConsoleSession, memberOf, membershipIn } from "../Account.ts"
import { Accounts } from "../Accounts.ts"
import { accountEntries, memberEntry } from "../accountEntry.ts"
import { limitAttempts } from "../limitAttempts.ts"
import { invalidLink } from "../links/AccountLink.ts"
import { AccountLinks } from "../links/AccountLinks.ts"
import { Passwords } from "../Passwords.ts"
import type { ConsoleSessions } from "../sessions/ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "../sessions/startConsoleSession.ts"
import { isOfDomain, SignUpSettings } from "./SignUpSettings.ts"
import { signUpClosed } from "./signUp.ts"

/** The request. */
export interface SignUpConfirmation {
  readonly token: Redacted.Redacted<string>
  /** The password that was set at the sign-up. Other readers of the mail do not know it. */
  readonly password: Redacted.Redacted<string>
  readonly name: string
  readonly organization_name: string
  /** The client's address for rate limits. */
  readonly address: string
}

/** Opens organizations for people who have no operator's help. */
export interface OpenOrganization {
  /** For the person with the link. A wrong password fails with `InvalidParameter`, and the link stays valid. */
  readonly confirm: (
    confirmation: SignUpConfirmation
  ) => Effect.Effect<SignedIn, InvalidParameter | InvalidToken | RateLimitExceeded | Unavailable>
  /** For a signed-in account: another organization, where sign-ups are taken. */
  readonly another: (
    name: string,
    manager: Manager
  ) => Effect.Effect<Account, Conflict | InsufficientScope | InvalidToken | Unavailable>
}

/** Account, organization and audit entries are one transaction. */
export const openOrganization: Effect.Effect<
  OpenOrganization,
  never,
  | Accounts
  | AccountLinks
  | AuditLog
  | ConsoleSessions
  | Organizations
  | Passwords
  | RateLimiter
  | Secrets
  | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const links = yield* AccountLinks
  const settings = yield* SignUpSettings
  const organizations = yield* Organizations
  const opening = yield* OpeningCredits
  const passwords = yield* Passwords
  const secrets = yield* Secrets
  const attempts = yield* limitAttempts
  const identify = yield* newId
  const start = yield* startConsoleSession
  const withAudit = yield* auditedAll

  const create = (id: string, name: string, created_at: string) =>
    organizations.create(newOrganization(id, name, created_at), opening)

  const confirm: OpenOrganization["confirm"] = Effect.fnUntraced(function* (confirmation) {
    const { address, name, organization_name, password, token } = confirmation
    yield* attempts.ofAddress(address)
    const hash = secrets.hash(token)
    const now = yield* timestamp
    const link = yield* links.find(hash, "sign_up", now)
    if (link !== undefined) yield* attempts.atAccount(`sign up ${link.email}`, address)
    const isRight = yield* passwords.verify(password, link?.password)
    if (link?.password === undefined) return yield* invalidLink
    if (!isRight) return yield* otherPassword
    const fields = { id: identify("acc"), email: link.email, name, created_at: now, password: link.password }
    const membership = { organization_id: identify("org"), role: "owner", joined_at: now } as const
    const opened = Effect.gen(function* () {
      // A concurrent request used it.
      if ((yield* links.take(hash, "sign_up", now)) === undefined) return yield* invalidLink
      yield* create(membership.organization_id, organization_name, now)
      // The address got an account by an invitation, or by another link.
      return yield* Effect.catchTag(accounts.open(fields, membership), "Conflict", () => invalidLink)
    })
    const accepted = link.accepted === undefined ? {} : { accepted: link.accepted }
    return yield* start(
      yield* withAudit(opened, ({ account }) => [
        openedEntry(account, membership.organization_id, organization_name),
        ...accountEntries(account, "account.created", account.id, accepted)
      ])
    )
  })

  const another: OpenOrganization["another"] = Effect.fnUntraced(function* (name, manager) {
    yield* permit(manager, "openOrganization")
    if (settings.mode === "off") return yield* signUpClosed("off")
    if (yield* links.isSignUpStopped()) return yield* signUpClosed("stopped")
    const { account: own } = yield* Effect.catchTag(
      accounts.find(manager.actor),
      "NotFound",
      () => invalidConsoleSession
    )
    if (!isOfDomain(settings, own.email)) return yield* notOfDomain
    if (own.memberships.filter(({ role }) => role === "owner").length >= maxOwned) return yield* tooManyOwned
    const now = yield* timestamp
    const membership = { organization_id: identify("org"), role: "owner", joined_at: now } as const
    const { organization_id } = membership
    const opened = Effect.andThen(
      create(organization_id, name, now),
      Effect.catchTag(accounts.addMember(own.id, membership), "NotFound", () => invalidConsoleSession)
    )
    return yield* withAudit(opened, (account) => [
      openedEntry(account, organization_id, name),
      memberEntry(memberOf(account, membershipIn(account, organization_id)), "account.joined", account.id)
    ])
  })

  return { confirm, another }
})

/** Owned organizations of an account that may open one more by itself. Each starts with test credits. */
const maxOwned = 5

const openedEntry = ({ id: actor }: Account, id: string, name: string) =>
  entryOf(actor, "organization.created", { id, organization_id: id }, { name })

const otherPassword = new InvalidParameter({
  parameter: "password",
  message: "password: this is not the password that you chose when you signed up with this address"
})

const notOfDomain = new InsufficientScope({
  message: "addresses of this domain cannot open organizations here: ask the operator of this service"
})

const tooManyOwned = new InsufficientScope({
  message: `you own ${maxOwned} organizations, which is the limit: ask the operator of this service for another one`
})
