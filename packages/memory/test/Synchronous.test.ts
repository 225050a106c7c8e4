/** Requests are answered at once where nothing waits: in memory, nothing does, and what is free needs no fiber. */
import { assert, describe, it } from "@effect/vitest"
import {
  newAccessRequest,
  newAccount,
  newInvitation,
  newKey,
  newNotice,
  newOrganization,
  newSelection,
  newTestEvent,
  newWebhook,
  suiteNoticeLimits,
  unique
} from "@postcode/conformance"
import { Accounts } from "@postcode/gateway/accounts/Accounts"
import type { ManagementKey } from "@postcode/gateway/accounts/managementKeys/ManagementKey"
import { ManagementKeys } from "@postcode/gateway/accounts/managementKeys/ManagementKeys"
import { Passkeys } from "@postcode/gateway/accounts/passkeys/Passkeys"
import { ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Units } from "@postcode/gateway/directory/Units"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { RateLimiter } from "@postcode/gateway/limits/RateLimiter"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Notices } from "@postcode/gateway/notices/Notices"
import { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Transactions } from "@postcode/gateway/store/Transactions"
import { UsageLog } from "@postcode/gateway/usage/UsageLog"
import { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { Effect, Exit, Layer, ManagedRuntime } from "effect"
import { codes } from "./directory/SmallDirectory.ts"
import { noon, ports } from "./Store.ts"

type Ports = Layer.Success<typeof ports>

/** A call of each method of a port. It does not compile where one is missing. */
type Calls<Port> = { readonly [Method in keyof Port]: Effect.Effect<unknown, unknown, Ports> }

const page = { limit: 20, cursor: undefined }
const organization = newOrganization()
const organization_id = organization.id
const account = { organization_id, environment: "test" } as const
const key = newKey(organization_id)
const rotated = newKey(organization_id)
const charge = { ...account, key_id: key.id, amount: 1, reason: "lookup", request_id: "r" } as const
const [person, other] = [newAccount(), newAccount()]
const session = { account_id: person.id, epoch: 1, created_at: noon, ends_at: "2026-02-01T12:00:00.000Z" }
const endpoint = newWebhook(organization_id)

const organizations: Calls<Organizations["Service"]> = {
  create: Effect.flatMap(Organizations, (it) => it.create(organization, { test: 10, live: 0 })),
  get: Effect.flatMap(Organizations, (it) => it.get(organization_id)),
  list: Effect.flatMap(Organizations, (it) => it.list({}, page)),
  update: Effect.flatMap(Organizations, (it) => it.update(organization_id, { name: "renamed" })),
  takeUnused: Effect.flatMap(Organizations, (it) => it.takeUnused(noon, { after_days: 90 })),
  listClosing: Effect.flatMap(Organizations, (it) => it.listClosing(noon)),
  changeStatus: Effect.flatMap(Organizations, (it) =>
    it.changeStatus(organization_id, { status: "active", status_reason: "for a test", status_changed_at: noon })
  ),
  submitKyb: Effect.flatMap(Organizations, (it) =>
    it.submitKyb(organization_id, { business_name: "Example", registration_number: "RC 1", submitted_at: noon })
  )
}

const apiKeys: Calls<ApiKeys["Service"]> = {
  create: Effect.flatMap(ApiKeys, (it) => Effect.andThen(it.create(key, "hash"), it.create(rotated, "other hash"))),
  findByHash: Effect.flatMap(ApiKeys, (it) => it.findByHash("hash", noon)),
  findById: Effect.flatMap(ApiKeys, (it) => it.findById(key.id, noon)),
  list: Effect.flatMap(ApiKeys, (it) => it.list(organization_id, page)),
  get: Effect.flatMap(ApiKeys, (it) => it.get(key.id)),
  rotate: Effect.flatMap(ApiKeys, (it) => {
    const successor = newKey(organization_id, { replaces: rotated.id })
    return it.rotate({ id: rotated.id, at: noon, expires_at: noon, successor, hash: "another hash" })
  }),
  takeExpiring: Effect.flatMap(ApiKeys, (it) => it.takeExpiring(noon, 1)),
  update: Effect.flatMap(ApiKeys, (it) => it.update(key.id, { name: "renamed" }, noon)),
  revoke: Effect.flatMap(ApiKeys, (it) => it.revoke(rotated.id, noon))
}

const creditLedger: Calls<CreditLedger["Service"]> = {
  grant: Effect.flatMap(CreditLedger, (it) => it.grant({ ...account, amount: 1, reference: "r" })),
  correct: Effect.flatMap(CreditLedger, (it) => {
    const correction = { ...account, kind: "refund", amount: 1, note: "n", reference: "r" } as const
    return Effect.andThen(it.correct(correction), Effect.flip(it.correct({ ...correction, amount: 2 })))
  }),
  charge: Effect.flatMap(CreditLedger, (it) =>
    Effect.andThen(
      it.charge({ ...charge, idempotency: { key: "k", fingerprint: "f" } }),
      Effect.flip(it.charge({ ...charge, amount: 1_000 }))
    )
  ),
  setThreshold: Effect.flatMap(CreditLedger, (it) => it.setThreshold(account, 5)),
  statement: Effect.flatMap(CreditLedger, (it) => it.statement(account, page)),
  days: Effect.flatMap(CreditLedger, (it) => it.days("test", { from: "2026-01-01", to: "2026-01-31" }))
}

const request = newAccessRequest(organization_id)
const accessRequests: Calls<AccessRequests["Service"]> = {
  create: Effect.flatMap(AccessRequests, (it) => it.create(request)),
  list: Effect.flatMap(AccessRequests, (it) => it.list({}, page)),
  decide: Effect.flatMap(AccessRequests, (it) =>
    it.decide(request.id, { status: "approved", note: "", decided_at: noon })
  ),
  waiting: Effect.flatMap(AccessRequests, (it) => it.waiting())
}

const newEvent = () =>
  ({ id: unique("evt"), at: noon, actor: "operator", action: "key.created", subject: key.id, details: {} }) as const
const auditLog: Calls<AuditLog["Service"]> = {
  append: Effect.flatMap(AuditLog, (it) => it.append(newEvent())),
  appendAll: Effect.flatMap(AuditLog, (it) => it.appendAll([newEvent(), newEvent()])),
  list: Effect.flatMap(AuditLog, (it) => it.list({}, page))
}

const year = { from: "2026-01-01", to: "2026-12-31", by: "operation", key_id: undefined, limit: 5 } as const
const usageLog: Calls<Omit<UsageLog["Service"], "record">> = {
  daily: Effect.flatMap(UsageLog, (it) => it.daily({ ...account, ...year })),
  traffic: Effect.flatMap(UsageLog, (it) => it.traffic({ organization_id, key_id: key.id }, 0))
}

const endUser = { id: "usr", identifier_hashes: ["1:a"], bookmarks: [] }
const endUsers: Calls<EndUsers["Service"]> = {
  save: Effect.flatMap(EndUsers, (it) => it.save(endUser)),
  saveAll: Effect.flatMap(EndUsers, (it) => it.saveAll([endUser])),
  bookmarks: Effect.flatMap(EndUsers, (it) => it.bookmarks(["1:a"])),
  find: Effect.flatMap(EndUsers, (it) => it.find(["1:a"])),
  get: Effect.flatMap(EndUsers, (it) => it.get(endUser.id)),
  remove: Effect.flatMap(EndUsers, (it) => it.remove(endUser.id)),
  count: Effect.flatMap(EndUsers, (it) => it.count())
}

const selections: Calls<Selections["Service"]> = {
  record: Effect.flatMap(Selections, (it) => it.record(newSelection({ organization_id }))),
  list: Effect.flatMap(Selections, (it) => it.list(organization_id, page)),
  daily: Effect.flatMap(Selections, (it) =>
    it.daily({ organization_id, environment: "test", from: "2026-01-01", to: "2026-01-31", min: 1, limit: 1 })
  ),
  forgetSubjects: Effect.flatMap(Selections, (it) => it.forgetSubjects(organization_id))
}

const invitations = [person, other, undefined].map(() => newInvitation({ role: "operator" }))
const kept = { ends_sessions: false }
const joining = newInvitation({ role: "developer", organization_id, email: person.email })
const owner = { organization_id: "org_of_its_own", role: "owner", joined_at: noon } as const
const accounts: Calls<Accounts["Service"]> = {
  invite: Effect.flatMap(Accounts, (it) =>
    Effect.forEach(invitations, (invitation, i) => it.invite(invitation, `invited ${i}`))
  ),
  invitations: Effect.flatMap(Accounts, (it) => it.invitations({ organization_id }, noon, page)),
  invitation: Effect.flatMap(Accounts, (it) => it.invitation(invitations[0]!.id)),
  invitationOf: Effect.flatMap(Accounts, (it) => it.invitationOf("invited 0", noon)),
  withdraw: Effect.flatMap(Accounts, (it) => it.withdraw(invitations[2]!.id)),
  accept: Effect.flatMap(Accounts, (it) =>
    Effect.andThen(it.accept("invited 0", person, noon), it.accept("invited 1", other, noon))
  ),
  join: Effect.flatMap(Accounts, (it) =>
    Effect.andThen(it.invite(joining, "joining"), it.join("joining", person.id, noon))
  ),
  addMember: Effect.flatMap(Accounts, (it) => it.addMember(person.id, owner)),
  changeRole: Effect.flatMap(Accounts, (it) => it.changeRole(person.id, organization_id, "billing")),
  leave: Effect.flatMap(Accounts, (it) => it.leave(person.id, organization_id)),
  open: Effect.flatMap(Accounts, (it) => it.open(newAccount(), owner)),
  hasOperator: Effect.flatMap(Accounts, (it) => it.hasOperator()),
  find: Effect.flatMap(Accounts, (it) => it.find(person.id)),
  findByEmail: Effect.flatMap(Accounts, (it) => it.findByEmail(person.email)),
  idOfEmail: Effect.flatMap(Accounts, (it) => it.idOfEmail(person.email)),
  list: Effect.flatMap(Accounts, (it) => it.list({ organization_id: undefined }, page)),
  change: Effect.flatMap(Accounts, (it) => it.change(person.id, { ...kept, name: "renamed" })),
  remove: Effect.flatMap(Accounts, (it) => it.remove(other.id))
}

const consoleSessions: Calls<ConsoleSessions["Service"]> = {
  start: Effect.flatMap(ConsoleSessions, (it) => it.start("session", session)),
  find: Effect.flatMap(ConsoleSessions, (it) => it.find("session", noon)),
  extend: Effect.flatMap(ConsoleSessions, (it) => it.extend("session", session.ends_at)),
  end: Effect.flatMap(ConsoleSessions, (it) => it.end("session"))
}

const managementKey: ManagementKey = {
  ...{ id: "mgk", organization_id, name: "back office", role: "owner", prefix: "svc_mk_AbCd" },
  ...{ created_by: person.id, allowed_ips: [], created_at: noon }
}
const managementKeys: Calls<ManagementKeys["Service"]> = {
  create: Effect.flatMap(ManagementKeys, (it) => it.create(managementKey, "management")),
  replace: Effect.flatMap(ManagementKeys, (it) => it.replace({ ...managementKey, id: "mgk_2" }, "replaced")),
  findByHash: Effect.flatMap(ManagementKeys, (it) => it.findByHash("management", noon)),
  get: Effect.flatMap(ManagementKeys, (it) => it.get(managementKey.id)),
  list: Effect.flatMap(ManagementKeys, (it) => it.list(organization_id, page)),
  revoke: Effect.flatMap(ManagementKeys, (it) => it.revoke(managementKey.id, noon)),
  revokeAll: Effect.flatMap(ManagementKeys, (it) => it.revokeAll(organization_id, noon)),
  revokeCreatedBy: Effect.flatMap(ManagementKeys, (it) => it.revokeCreatedBy(person.id, undefined, [], noon))
}

const passkey = {
  ...{ id: "psk", account_id: person.id, name: "phone", created_at: noon },
  ...{ credential_id: "credential", public_key: "public", counter: 0 }
}
const passkeys: Calls<Passkeys["Service"]> = {
  keepChallenge: Effect.flatMap(Passkeys, (it) =>
    it.keepChallenge("challenge", { account_id: person.id, expires_at: session.ends_at })
  ),
  takeChallenge: Effect.flatMap(Passkeys, (it) => it.takeChallenge("challenge", noon)),
  add: Effect.flatMap(Passkeys, (it) => it.add(passkey)),
  list: Effect.flatMap(Passkeys, (it) => it.list(person.id)),
  find: Effect.flatMap(Passkeys, (it) => it.find(passkey.credential_id)),
  use: Effect.flatMap(Passkeys, (it) => it.use(passkey.id, 1, noon)),
  remove: Effect.flatMap(Passkeys, (it) => it.remove(person.id, passkey.id))
}

const enqueued = Effect.flatMap(Webhooks, (it) => it.enqueue(endpoint.id, newTestEvent()))
const webhooks: Calls<Webhooks["Service"]> = {
  create: Effect.flatMap(Webhooks, (it) => it.create(endpoint, "sealed")),
  listen: Effect.flatMap(Webhooks, (it) =>
    it.listen({ ...newWebhook(organization_id), listened_at: noon }, "sealed", noon)
  ),
  list: Effect.flatMap(Webhooks, (it) => it.list(organization_id)),
  get: Effect.flatMap(Webhooks, (it) => it.get(endpoint.id)),
  rotate: Effect.flatMap(Webhooks, (it) => it.rotate(endpoint.id, "sealed anew", session.ends_at)),
  enqueue: enqueued,
  announce: Effect.flatMap(Webhooks, (it) => it.announce({ type: "webhook.test", data: { organization_id } })),
  announceDirectory: Effect.flatMap(Webhooks, (it) => it.announceDirectory(() => Effect.succeed(undefined))),
  delivery: Effect.flatMap(Webhooks, (it) => Effect.flatMap(enqueued, ({ id }) => it.delivery(id))),
  deliveries: Effect.flatMap(Webhooks, (it) => it.deliveries(endpoint.id, page)),
  retry: Effect.flatMap(Webhooks, (it) => Effect.flatMap(enqueued, ({ id }) => it.retry(id))),
  remove: Effect.flatMap(Webhooks, (it) =>
    Effect.andThen(it.create(newWebhook(organization_id, { id: "whk_removed" }), "sealed"), it.remove("whk_removed"))
  )
}

const webhookQueue: Calls<Omit<WebhookQueue["Service"], "hasEndpoints">> = {
  lease: Effect.flatMap(WebhookQueue, (it) => it.lease(1, 0)),
  leaseOfListener: Effect.flatMap(WebhookQueue, (it) => it.leaseOfListener(endpoint.id, 0)),
  settle: Effect.flatMap(WebhookQueue, (it) =>
    Effect.flatMap(it.lease(1, 0), ([leased]) => it.settle(leased!, { status: "failed" }))
  )
}

const added = Effect.flatMap(Notices, (it) => {
  const notice = newNotice()
  return Effect.as(it.add(notice), notice)
})
const notices: Calls<Omit<Notices["Service"], "isOn">> = {
  add: added,
  lease: Effect.flatMap(Notices, (it) => it.lease(1, 0)),
  settle: Effect.flatMap(Notices, (it) =>
    Effect.flatMap(it.lease(1, 0), ([leased]) => it.settle(leased!, { status: "failed" }))
  ),
  list: Effect.flatMap(Notices, (it) => it.list({}, page)),
  get: Effect.flatMap(Notices, (it) => Effect.flatMap(added, ({ id }) => it.get(id))),
  switchedOff: Effect.flatMap(Notices, (it) => it.switchedOff(other.id)),
  switchOff: Effect.flatMap(Notices, (it) => it.switchOff(other.id, ["key_expires"]))
}

const transactions: Calls<Transactions["Service"]> = {
  atomically: Effect.flatMap(Transactions, (it) => it.atomically(Effect.void))
}

const bothLimits = [
  { subject: "key:subject", limit: 5 },
  { subject: "organization:subject", limit: 5 }
] as const

const limiter: Calls<RateLimiter["Service"]> = {
  take: Effect.flatMap(RateLimiter, (it) => it.take("key:subject", 5, 1)),
  takeAll: Effect.flatMap(RateLimiter, (it) => it.takeAll(bothLimits, 1))
}

const units: Calls<Units["Service"]> = {
  attributes: Effect.flatMap(Units, (it) => it.attributes([codes.whole]))
}

/** Each after what it stands on. */
const calls = {
  ...{ organizations, apiKeys, creditLedger, accessRequests, auditLog, usageLog, endUsers, selections },
  ...{ accounts, consoleSessions, managementKeys, passkeys, webhooks, webhookQueue },
  ...{ notices, transactions, limiter, units }
}

describe("in memory", () => {
  it("every method completes synchronously", () => {
    const runtime = ManagedRuntime.make(Layer.provide(ports, Layer.succeed(NoticeLimits, suiteNoticeLimits)))
    for (const [port, methods] of Object.entries(calls)) {
      for (const [method, call] of Object.entries(methods)) {
        const fiber = runtime.runFork(call)
        assert.strictEqual(fiber.pollUnsafe()?._tag, "Success", `${port}.${method}`)
      }
    }
  })

  it.effect("the methods for free requests return an Exit", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const limiter = yield* RateLimiter
      const units = yield* Units
      assert.isTrue(Exit.isExit(keys.findByHash("no key's", noon)))
      assert.isTrue(Exit.isExit(keys.findById("no key's", noon)))
      assert.isTrue(Exit.isExit(limiter.take("key:subject", 5, 1)))
      assert.isTrue(Exit.isExit(limiter.takeAll(bothLimits, 1)))
      assert.isTrue(Exit.isExit(units.attributes([codes.whole])))
    }).pipe(Effect.provide(ports))
  )

  it.effect("a principal is the same frozen object until its organization changes", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const keys = yield* ApiKeys
      const organization = newOrganization({ granted_level: 2 })
      yield* organizations.create(organization, { test: 0, live: 0 })
      yield* keys.create(newKey(organization.id), "hash")
      const find = () => keys.findByHash("hash", noon)
      const principal = yield* find()
      assert.isTrue(Object.isFrozen(principal))
      assert.strictEqual(yield* find(), principal)
      yield* organizations.update(organization.id, { name: "renamed" })
      assert.deepStrictEqual(yield* find(), principal)
      yield* organizations.update(organization.id, { granted_level: 3 })
      const raised = yield* find()
      assert.notStrictEqual(raised, principal)
      assert.strictEqual(yield* find(), raised)
    }).pipe(Effect.provide(ports))
  )
})
