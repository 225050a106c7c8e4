/** Authenticates a manager by the operator token, a management key or a console session. */
import { hasExpired } from "@postcode/core/Credits"
import { Clock, Effect, Redacted } from "effect"
import {
  type AddressNotAllowed,
  AuthRequired,
  InvalidToken,
  type NotFound,
  notFound,
  OrganizationSuspended,
  type Unavailable
} from "../Errors.ts"
import { authorizeAddress, containsKey, managementKeyPrefix } from "../keys/ApiKey.ts"
import { type ManagementCall, type Manager, needsActiveOrganization, tokenManager } from "../ManagementAccess.ts"
import type { OrganizationStatus } from "../organizations/Organization.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { Secrets } from "../store/Secrets.ts"
import { type Account, invalidConsoleSession, membershipIn, sessionIdle_ms, sessionLifetime_ms } from "./Account.ts"
import { isWellFormedManagementKey } from "./managementKeys/ManagementKey.ts"
import { ManagementKeys } from "./managementKeys/ManagementKeys.ts"
import { type ConsoleSession, ConsoleSessions } from "./sessions/ConsoleSessions.ts"

/** The presented credential: a bearer token, which is the operator token or a management key, or a session's token. */
export type Credential =
  | { readonly _tag: "BearerToken"; readonly token: Redacted.Redacted<string> }
  | { readonly _tag: "Session"; readonly token: Redacted.Redacted<string> }

/** What a request says about the organization in which a session's account acts; both may be absent. */
export interface NamedOrganization {
  /** That of the path, such as `/v1/admin/organizations/org_1/keys`. */
  readonly ofPath?: string | undefined
  /** That of the header. */
  readonly ofHeader?: string | undefined
}

/**
 * The manager of a valid credential, for a call. Using a session extends it, up to its maximum lifetime. Fails with
 * `OrganizationSuspended` for a member or a management key of a suspended or closed organization, unless the call is left
 * to them, and with `AddressNotAllowed` for a management key that is not allowed from the client's address.
 */
export const authenticateManager = (
  operatorToken: Redacted.Redacted<string>
): Effect.Effect<
  (
    credential: Credential | undefined,
    call: ManagementCall,
    addressOf: () => string,
    named?: NamedOrganization
  ) => Effect.Effect<
    Manager,
    AddressNotAllowed | AuthRequired | InvalidToken | NotFound | OrganizationSuspended | Unavailable
  >,
  never,
  ConsoleSessions | ManagementKeys | Organizations | Secrets
> =>
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const sessions = yield* ConsoleSessions
    const keys = yield* ManagementKeys
    const organizations = yield* Organizations
    const clock = yield* Clock.Clock
    // Comparing hashes keeps the timing independent of how much of a guess is correct.
    const expected = secrets.hash(operatorToken)

    const managerOfBearer = Effect.fnUntraced(function* (token: Redacted.Redacted<string>, addressOf: () => string) {
      const hash = secrets.hash(token)
      if (hash === expected) return tokenManager
      const sent = Redacted.value(token)
      if (!isWellFormedManagementKey(sent)) return yield* wrongToken(sent)
      const now = isoOf(clock.currentTimeMillisUnsafe())
      const key = yield* keys.findByHash(hash, now)
      if (key === undefined) return yield* unknownManagementKey
      if (hasExpired(key.expires_at, now)) return yield* managementKeyExpired
      yield* Effect.fromResult(authorizeAddress(key, addressOf, "create a management key that allows it"))
      const { id, organization_id, role } = key
      const manager: Manager = { kind: `${role}_key`, actor: id, organization_id, session_hash: undefined }
      return manager
    })

    const managerOfSession = Effect.fnUntraced(function* (token: Redacted.Redacted<string>, named: NamedOrganization) {
      const session_hash = secrets.hash(token)
      const now_ms = clock.currentTimeMillisUnsafe()
      const found = yield* sessions.find(session_hash, isoOf(now_ms))
      if (found === undefined) return yield* invalidConsoleSession
      const ends_at = laterEnd(found.session, now_ms)
      if (ends_at !== undefined) yield* sessions.extend(session_hash, ends_at)
      const acting = actingIn(found.account, named)
      if (acting === undefined) return yield* notFound("organization")
      const manager: Manager = { ...acting, actor: found.account.id, session_hash }
      return manager
    })

    const requireActive = Effect.fnUntraced(function* (manager: Manager, call: ManagementCall) {
      if (!needsActiveOrganization(manager, call)) return
      const { status } = yield* organizations.get(manager.organization_id as string)
      if (status !== "active") return yield* readOnly(status)
    })

    return (credential, call, addressOf, named = {}) => {
      if (credential === undefined) return Effect.fail(missingCredential)
      const { _tag, token } = credential
      const found: Effect.Effect<Manager, AddressNotAllowed | InvalidToken | NotFound | Unavailable> =
        _tag === "BearerToken" ? managerOfBearer(token, addressOf) : managerOfSession(token, named)
      return Effect.tap(found, (manager) => requireActive(manager, call))
    }
  })

/**
 * In what a session's account acts: as an operator in all organizations; else in the one that the request names, or in its only one. With
 * several and none named, it may do only what concerns the account itself. Undefined if the request names one that the
 * account does not belong to.
 */
const actingIn = (
  account: Account,
  { ofHeader, ofPath }: NamedOrganization
): Pick<Manager, "kind" | "organization_id"> | undefined => {
  if (account.is_operator) return { kind: "operator", organization_id: undefined }
  const [only, ...others] = account.memberships
  const name = ofPath ?? ofHeader
  const named = name === undefined ? undefined : membershipIn(account, name)
  const isForeign = name !== undefined && named === undefined
  // A path of another organization is answered by the call, which first checks the role.
  if (isForeign && (others.length > 0 || ofPath === undefined)) return undefined
  const acting = named ?? (others.length === 0 ? only : undefined)
  return acting === undefined
    ? { kind: "account", organization_id: undefined }
    : { kind: acting.role, organization_id: acting.organization_id }
}

/** The new end of a session that is used now; undefined if the extension is too small for a write. */
const laterEnd = ({ created_at, ends_at }: ConsoleSession, now_ms: number): string | undefined => {
  const end_ms = Math.min(now_ms + sessionIdle_ms, Date.parse(created_at) + sessionLifetime_ms)
  return end_ms - Date.parse(ends_at) >= extension_ms ? isoOf(end_ms) : undefined
}

const extension_ms = 60_000

const isoOf = (time_ms: number): string => new Date(time_ms).toISOString()

const readOnly = (status: OrganizationStatus): OrganizationSuspended =>
  new OrganizationSuspended({
    message: `your organization is ${status}: its members may read, and only the operator of this service can change it`
  })

const missingCredential = new AuthRequired({
  message:
    "the management API needs the operator token or a management key, sent as Authorization: Bearer <token>, or a " +
    "session of the console"
})

/** Why a token that is not the operator token and not a well-formed management key is refused. */
const wrongToken = (token: string): InvalidToken => {
  if (token.startsWith(managementKeyPrefix)) return malformedManagementKey
  return containsKey(token) ? misplacedApiKey : wrongOperatorToken
}

const malformedManagementKey = new InvalidToken({
  message: "the management key is malformed: check that it was copied whole"
})
const unknownManagementKey = new InvalidToken({ message: "the management key is unknown or revoked" })
const managementKeyExpired = new InvalidToken({ message: "the management key has expired: create a new one" })
const misplacedApiKey = new InvalidToken({
  message: "the management API takes no API keys: send the operator token or a management key, svc_mk_…"
})
const wrongOperatorToken = new InvalidToken({ message: "the operator token is not the one of this service" })
