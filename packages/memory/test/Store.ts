/** What tests of operations stand on: the store in memory, the small directory, and secrets that repeat. */
import { createHash, createHmac } from "node:crypto"
import { assert } from "@effect/vitest"
import { storedKey, storedOrganization } from "@postcode/conformance"
import type { Environment } from "@postcode/core/Credits"
import { Passwords } from "@postcode/gateway/accounts/Passwords"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { type ApiKeyRecord, keyAlphabet, type Principal } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import type { Organization } from "@postcode/gateway/organizations/Organization"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { ProofKeys } from "@postcode/gateway/widget/endUsers/ProofKeys"
import { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import {
  invalidWidgetSession,
  sessionLifetime_s,
  type WidgetSession
} from "@postcode/gateway/widget/sessions/WidgetSession"
import { MemoryStore } from "@postcode/memory"
import { Clock, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { layerSmallDirectory } from "./directory/SmallDirectory.ts"

/** Random texts are made of the SHA-512 of a counter, so a test sees the same ones each time. */
const layerSecrets: Layer.Layer<Secrets> = Layer.sync(Secrets, () => {
  let count = 0
  return {
    random: (length) => {
      const bytes = createHash("sha512").update(`${++count}`).digest()
      return Array.from({ length }, (_, i) => keyAlphabet[(bytes[i % 64] as number) % 62]).join("")
    },
    hash: (secret) => createHash("sha256").update(Redacted.value(secret)).digest("hex"),
    hashSent: (secret) => createHash("sha256").update(secret).digest("hex"),
    hashIdentifier: peppered,
    identifierHashes: (normalized) => [peppered(normalized)]
  }
})

const peppered = (normalized: Redacted.Redacted<string>): string =>
  `1:${createHmac("sha256", "pepper").update(Redacted.value(normalized)).digest("hex")}`

/** Quick, and so that a test can see which password is behind it. */
const layerPasswords: Layer.Layer<Passwords> = Layer.succeed(Passwords, {
  hash: (password) => Effect.sync(() => `hash of ${Redacted.value(password)}`),
  verify: (password, hashed) => Effect.sync(() => hashed === `hash of ${Redacted.value(password)}`)
})

/** Tokens are numbers, and what they stand for is kept beside them. */
const layerSessionTokens: Layer.Layer<SessionTokens> = Layer.effect(
  SessionTokens,
  Effect.map(Clock.Clock, (clock) => {
    const sessions: Array<{ readonly session: WidgetSession; readonly end_ms: number }> = []
    return {
      sign: (session) =>
        Effect.sync(() => {
          const end_ms = clock.currentTimeMillisUnsafe() + sessionLifetime_s * 1000
          return Redacted.make(`token-${sessions.push({ session, end_ms })}`)
        }),
      verify: (token) =>
        Effect.suspend(() => {
          const signed = sessions[Number(Redacted.value(token).slice(6)) - 1]
          return signed !== undefined && clock.currentTimeMillisUnsafe() < signed.end_ms
            ? Effect.succeed(signed.session)
            : Effect.fail(invalidWidgetSession)
        })
    }
  })
)

/** A sealed key is its secret, and a token is a sealed key, a space, and the claims as JSON. */
const layerProofKeys: Layer.Layer<ProofKeys> = Layer.succeed(ProofKeys, {
  make: (organization_id) => ({
    secret: Redacted.make(`key-of-${organization_id}`),
    sealed: `key-of-${organization_id}`
  }),
  read: (sealed, _, token) =>
    Effect.sync(() => {
      const [key = "", ...claims] = Redacted.value(token).split(" ")
      return sealed.includes(key) ? JSON.parse(claims.join(" ")) : undefined
    })
})

/** A sealed text is its context and itself. */
const layerNoticeSecrets: Layer.Layer<NoticeSecrets> = Layer.succeed(NoticeSecrets, {
  seal: (context, text) => `${context}~${Redacted.value(text)}`,
  open: (context, sealed) =>
    sealed.startsWith(`${context}~`) ? Redacted.make(sealed.slice(context.length + 1)) : undefined
})

/** Every port that operations need. */
export const ports = Layer.mergeAll(
  MemoryStore.layer,
  layerSmallDirectory,
  layerSecrets,
  layerSessionTokens,
  layerProofKeys,
  layerNoticeSecrets,
  layerPasswords
)

/** An organization with a key, as it was stored. */
export interface Customer {
  readonly organization: Organization
  readonly key: ApiKeyRecord
  readonly hash: string
  /** The principal as a request finds it now. */
  readonly principal: Effect.Effect<Principal, never, ApiKeys>
  readonly balance: Effect.Effect<number, never, CreditLedger>
}

/** An organization with a key, and 100 credits unless told. */
export const customer = Effect.fnUntraced(function* (
  fields: { readonly organization?: Partial<Organization>; readonly key?: Partial<ApiKeyRecord> } = {},
  credits = 100
) {
  const environment: Environment = fields.key?.environment ?? "test"
  const organization = yield* storedOrganization(
    { [environment]: credits },
    { granted_level: 5, kyb_status: "verified", ...fields.organization }
  )
  const { hash, record } = yield* storedKey(organization.id, { max_level: 5, ...fields.key })
  const page = { limit: 1, cursor: undefined }
  const made: Customer = {
    organization,
    key: record,
    hash,
    principal: Effect.flatMap(ApiKeys, (keys) =>
      Effect.map(Effect.orDie(keys.findByHash(hash, noon)), (principal) => {
        if (principal === undefined) throw new Error("the key is not active")
        return principal
      })
    ),
    balance: Effect.flatMap(CreditLedger, (ledger) =>
      Effect.map(
        Effect.orDie(ledger.statement({ organization_id: organization.id, environment }, page)),
        ({ balance }) => balance
      )
    )
  }
  return made
})

/** When tests begin that set the clock. */
export const noon = "2026-01-31T12:00:00.000Z"

/** Sets the clock to `noon`. */
export const atNoon = TestClock.setTime(Date.parse(noon))

/** All that the audit log holds, oldest first. */
export const auditTrail = Effect.flatMap(AuditLog, (log) =>
  Effect.map(Effect.orDie(log.list({}, { limit: 100, cursor: undefined })), ({ items }) => [...items].reverse())
)

/** The same without the ids, which are checked to look like ids and to differ. */
export const auditTrailWithoutIds: Effect.Effect<ReadonlyArray<object>, never, AuditLog> = Effect.map(
  auditTrail,
  (events) => {
    for (const { id } of events) assert.match(id, /^evt_[0-9A-Za-z]{20}$/)
    assert.strictEqual(new Set(events.map(({ id }) => id)).size, events.length)
    return events.map(({ id, ...fields }) => fields)
  }
)
