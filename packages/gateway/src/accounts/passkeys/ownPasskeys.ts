/** Registers, lists and removes passkeys of one's own account. */
import { Effect } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { auditedAll, newId, timestamp } from "../../audit/audit.ts"
import type {
  Conflict,
  InsufficientScope,
  InvalidParameter,
  InvalidToken,
  NotFound,
  RateLimitExceeded,
  Unavailable
} from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import type { Manager } from "../../ManagementAccess.ts"
import { type NoticePorts, notified } from "../../notices/notify.ts"
import type { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import type { Account } from "../Account.ts"
import { Accounts } from "../Accounts.ts"
import { accountEntries } from "../accountEntry.ts"
import { type Confirmation, ownCredentials } from "../ownCredentials.ts"
import type { Passwords } from "../Passwords.ts"
import type { ConsoleSessions } from "../sessions/ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "../sessions/startConsoleSession.ts"
import { type Passkey, type PasskeySite, passkeyNotMade } from "./Passkey.ts"
import { PasskeyCeremonies } from "./PasskeyCeremonies.ts"
import { Passkeys } from "./Passkeys.ts"
import { passkeyChallenges } from "./passkeyChallenges.ts"

type Refused = InsufficientScope | InvalidToken | Unavailable

/** The options for a registration. */
export interface PasskeyStart {
  readonly account: Account
  readonly challenge: string
  /** The account's passkeys, so that a device is not registered twice. */
  readonly credential_ids: ReadonlyArray<string>
}

/** For console sessions only: the operator token fails with `InsufficientScope`. */
export interface OwnPasskeys {
  readonly list: (manager: Manager) => Effect.Effect<ReadonlyArray<Passkey>, Refused>
  /** Requires the password: an open session alone must not lead to a permanent credential. */
  readonly start: (
    confirmation: Confirmation,
    manager: Manager
  ) => Effect.Effect<PasskeyStart, InvalidParameter | RateLimitExceeded | Refused>
  readonly add: (
    made: { readonly name: string; readonly credential: unknown; readonly site: PasskeySite },
    manager: Manager
  ) => Effect.Effect<Passkey, Conflict | InvalidParameter | Refused>
  /** Ends all sessions of the account and returns a new one, because the device may have been lost. */
  readonly remove: (id: string, manager: Manager) => Effect.Effect<SignedIn, NotFound | Refused>
}

/** Every change is stored in one transaction with its audit entry, and with the mail that warns of it. */
export const ownPasskeys: Effect.Effect<
  OwnPasskeys,
  never,
  | Accounts
  | AuditLog
  | ConsoleSessions
  | NoticePorts
  | PasskeyCeremonies
  | Passkeys
  | Passwords
  | RateLimiter
  | Secrets
  | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const passkeys = yield* Passkeys
  const ceremonies = yield* PasskeyCeremonies
  const challenges = yield* passkeyChallenges
  const own = yield* ownCredentials
  const identify = yield* newId
  const startSession = yield* startConsoleSession
  const withAudit = yield* auditedAll
  const withNotices = yield* notified

  return {
    list: (manager) => Effect.flatMap(own.of(manager, "listPasskeys"), ({ account }) => passkeys.list(account.id)),

    start: Effect.fnUntraced(function* (confirmation, manager) {
      const credentials = yield* own.of(manager, "startPasskey")
      yield* own.confirm(credentials, confirmation)
      const { account } = credentials
      const held = yield* passkeys.list(account.id)
      const challenge = yield* challenges.make(account.id)
      return { account, challenge, credential_ids: held.map(({ credential_id }) => credential_id) }
    }),

    add: Effect.fnUntraced(function* ({ credential, name, site }, manager) {
      const { account } = yield* own.of(manager, "addPasskey")
      const claim = ceremonies.read(credential)
      if (claim === undefined || (yield* challenges.take(claim.challenge))?.account_id !== account.id) {
        return yield* passkeyNotMade
      }
      const verified = yield* ceremonies.verifyNew(credential, claim.challenge, site)
      const passkey: Passkey = {
        id: identify("psk"),
        account_id: account.id,
        name,
        ...verified,
        created_at: yield* timestamp
      }
      const added = withAudit(passkeys.add(passkey), () => entriesOf(account, "passkey.added", passkey.id))
      yield* Effect.catchTag(
        withNotices(added, () => [{ kind: "passkey_changed", facts: { change: "added" }, account_id: account.id }]),
        "NotFound",
        () => passkeyNotMade
      )
      return passkey
    }),

    remove: Effect.fnUntraced(function* (id, manager) {
      const { account } = yield* own.of(manager, "removePasskey")
      const endAll = accounts.change(account.id, { ends_sessions: true })
      const removed = withAudit(Effect.andThen(passkeys.remove(account.id, id), endAll), () =>
        entriesOf(account, "passkey.removed", id)
      )
      const removal = withNotices(removed, () => [
        { kind: "passkey_changed", facts: { change: "removed" }, account_id: account.id }
      ])
      // Only a change of address can fail with it.
      return yield* startSession(yield* Effect.catchTag(removal, "Conflict", Effect.die))
    })
  }
})

const entriesOf = (account: Account, action: "passkey.added" | "passkey.removed", passkey: string) =>
  accountEntries(account, action).map((entry) => ({ ...entry, subject: passkey }))
