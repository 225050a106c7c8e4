/** Logs in a device: the program starts and asks, and an account that is signed in decides. */
import { Clock, Effect, Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { auditedAll, entryOf, newId, timestamp } from "../../audit/audit.ts"
import { type Conflict, type InsufficientScope, NotFound, RateLimitExceeded, type Unavailable } from "../../Errors.ts"
import { randomLength, visiblePrefix } from "../../keys/ApiKey.ts"
import { RateLimiter } from "../../limits/RateLimiter.ts"
import { takeFromLimit } from "../../limits/takeFromLimit.ts"
import { type ManagementCall, type Manager, type MemberRole, permit, permitOn } from "../../ManagementAccess.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { limitAttempts } from "../limitAttempts.ts"
import { composeManagementKey, type ManagementKey } from "../managementKeys/ManagementKey.ts"
import { ManagementKeys } from "../managementKeys/ManagementKeys.ts"
import {
  type DeviceDecision,
  type DeviceLogin,
  deviceCodeLength,
  deviceKey_ms,
  deviceLogin_ms,
  deviceLogins_per_minute,
  makeUserCode,
  normalUserCode,
  pollInterval_s
} from "./DeviceLogin.ts"
import { DeviceLogins } from "./DeviceLogins.ts"

/** The codes of a login that has started. */
export interface StartedLogin {
  /** The program keeps it. */
  readonly device_code: Redacted.Redacted<string>
  /** A person types it, or compares it: `WDJB-MJHT`. */
  readonly user_code: string
  /** In seconds. */
  readonly expires_in: number
  /** How long the program waits between two requests, in seconds. */
  readonly interval: number
}

/** A program that logs in. It needs no registration. */
export interface DeviceClient {
  /** Its name. The token is given only to the program that started the login. */
  readonly client_id: string
  /** The name of its machine, which the account sees. Default: the name of the program. */
  readonly machine?: string | undefined
}

/** The answer to a program, in the words of RFC 8628 and RFC 6749. */
export type LoginState =
  | { readonly status: "access_denied" | "authorization_pending" | "expired_token" | "invalid_grant" | "slow_down" }
  | {
      readonly status: "approved"
      readonly record: ManagementKey
      readonly secret: Redacted.Redacted<string>
      /** The keys of earlier logins that are revoked now. */
      readonly replaced: ReadonlyArray<ManagementKey>
    }

type Refused = InsufficientScope | NotFound | RateLimitExceeded | Unavailable

/** Unknown, expired and used codes of persons get the same answer. */
export interface LogInDevice {
  readonly start: (
    client: DeviceClient,
    address: string
  ) => Effect.Effect<StartedLogin, RateLimitExceeded | Unavailable>
  /**
   * Once the account has agreed, creates the management key and returns it, once. It replaces the account's key of an
   * earlier login of the same machine.
   */
  readonly poll: (
    client_id: string,
    device_code: Redacted.Redacted<string>
  ) => Effect.Effect<LoginState, Conflict | NotFound | Unavailable>
  /** What a code is for. */
  readonly find: (user_code: string, manager: Manager, address: string) => Effect.Effect<DeviceLogin, Refused>
  /** Agrees to a key with the account's own role in an organization. */
  readonly approve: (
    organization_id: string,
    user_code: string,
    manager: Manager,
    address: string
  ) => Effect.Effect<DeviceLogin, Refused>
  readonly deny: (user_code: string, manager: Manager, address: string) => Effect.Effect<DeviceLogin, Refused>
}

/** Guesses of a user code count as attempts to sign in: by address, and by account. */
export const logInDevice: Effect.Effect<
  LogInDevice,
  never,
  AuditLog | DeviceLogins | ManagementKeys | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const logins = yield* DeviceLogins
  const limiter = yield* RateLimiter
  const secrets = yield* Secrets
  const attempts = yield* limitAttempts
  const createKey = yield* makeCreateKey
  const hashOf = (typed: string) => secrets.hashIdentifier(Redacted.make(normalUserCode(typed)))

  const counted = (call: ManagementCall, manager: Manager, address: string) =>
    permit(manager, call).pipe(
      Effect.andThen(attempts.ofAddress(address)),
      Effect.andThen(attempts.atAccount(`device login by ${manager.actor}`, address))
    )

  const decide = (user_code: string, decision: DeviceDecision) =>
    Effect.flatMap(timestamp, (now) => known(logins.decide(hashOf(user_code), decision, now)))

  return {
    start: Effect.fnUntraced(function* ({ client_id, machine = client_id }, address) {
      yield* takeFromLimit(limiter, `device_login:${address}`, deviceLogins_per_minute)
      const now_ms = yield* Clock.currentTimeMillis
      const device_code = Redacted.make(secrets.random(deviceCodeLength))
      for (let attempt = 1; attempt <= 3; attempt++) {
        const user_code = makeUserCode(secrets.random)
        const stored = yield* logins.add({
          device_hash: secrets.hash(ofClient(client_id, device_code)),
          user_hash: hashOf(user_code),
          machine,
          created_at: new Date(now_ms).toISOString(),
          expires_at: new Date(now_ms + deviceLogin_ms).toISOString()
        })
        if (stored === "added") {
          return { device_code, user_code, expires_in: deviceLogin_ms / 1_000, interval: pollInterval_s }
        }
      }
      return yield* new RateLimitExceeded({ retry_after_s: 60 })
    }),

    poll: createKey,

    find: (user_code, manager, address) =>
      Effect.andThen(
        counted("findDeviceLogin", manager, address),
        Effect.flatMap(timestamp, (now) => known(logins.find(hashOf(user_code), now)))
      ),

    approve: Effect.fnUntraced(function* (organization_id, user_code, manager, address) {
      yield* permitOn(manager, "approveDeviceLogin", organization_id)
      yield* counted("approveDeviceLogin", manager, address)
      // Only members may make the call, so the kind is a role.
      const role = manager.kind as MemberRole
      return yield* decide(user_code, { _tag: "Approved", account_id: manager.actor, organization_id, role })
    }),

    deny: (user_code, manager, address) =>
      Effect.andThen(counted("denyDeviceLogin", manager, address), decide(user_code, { _tag: "Denied" }))
  }
})

const known = (
  find: Effect.Effect<DeviceLogin | undefined, Unavailable>
): Effect.Effect<DeviceLogin, NotFound | Unavailable> =>
  Effect.flatMap(find, (login) => (login === undefined ? Effect.fail(noSuchCode) : Effect.succeed(login)))

const noSuchCode = new NotFound({
  message: "no login waits with this code: it is mistyped, has expired after 10 minutes, or was decided. Start again"
})

const ofClient = (client_id: string, device_code: Redacted.Redacted<string>): Redacted.Redacted<string> =>
  Redacted.make(`${Redacted.value(device_code)} ${client_id}`)

const undecided = {
  Expired: "expired_token",
  Gone: "invalid_grant",
  Pending: "authorization_pending",
  TooSoon: "slow_down"
} as const

/** Takes the decision and creates the key in one transaction, so that a failure leaves the login to another request. */
const makeCreateKey = Effect.gen(function* () {
  const logins = yield* DeviceLogins
  const keys = yield* ManagementKeys
  const secrets = yield* Secrets
  const identify = yield* newId
  const withAudit = yield* auditedAll

  return (client_id: string, device_code: Redacted.Redacted<string>) => {
    const state = Effect.gen(function* (): Effect.fn.Return<
      LoginState,
      Conflict | NotFound | Unavailable | { readonly _tag: "InvalidToken" }
    > {
      const now = yield* timestamp
      const polled = yield* logins.poll(secrets.hash(ofClient(client_id, device_code)), now)
      if (polled._tag !== "Decided") return { status: undecided[polled._tag] }
      const { decision, login } = polled
      if (decision._tag === "Denied") return { status: "access_denied" }
      const { account_id, organization_id, role } = decision
      const key = composeManagementKey(secrets.random(randomLength))
      const record: ManagementKey = {
        id: identify("mgk"),
        organization_id,
        name: `Login of ${login.machine}`,
        role,
        prefix: visiblePrefix(key),
        created_by: account_id,
        allowed_ips: [],
        created_at: now,
        expires_at: new Date(Date.parse(now) + deviceKey_ms).toISOString()
      }
      const secret = Redacted.make(key)
      const maker = { id: account_id, organization_id, role }
      const replaced = yield* keys.replace(record, secrets.hash(secret), maker)
      return { status: "approved", record, secret, replaced }
    })
    return withAudit(state, (answer) => {
      if (answer.status !== "approved") return []
      const { created_by, expires_at = "", name, prefix, role } = answer.record
      return [
        ...answer.replaced.map((key) => entryOf(created_by, "management_key.revoked", key, { prefix: key.prefix })),
        entryOf(created_by, "management_key.created", answer.record, { name, role, prefix, expires_at })
      ]
    }).pipe(
      // The account was removed, or has another role, since it agreed.
      Effect.catchTag("InvalidToken", () => Effect.succeed<LoginState>({ status: "access_denied" }))
    )
  }
})
