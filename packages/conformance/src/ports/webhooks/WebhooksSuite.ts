/** Conformance suite of the port `Webhooks`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Unavailable } from "@postcode/gateway/Errors"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import {
  type DirectoryEvent,
  maxListeners,
  maxPending,
  maxWebhooks,
  type WebhookEndpoint,
  type WebhookEvent
} from "@postcode/gateway/webhooks/Webhook"
import { type AnnouncedVersion, type Announcement, Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { checkPaging, wholeList } from "../../fixtures/Paging.ts"
import { nextTimestamp, storedOrganization, unique } from "../../fixtures/Records.ts"

type Ports = Organizations | Webhooks
type It = Vitest.MethodsNonLive<Ports>

/** Registers the tests of the port `Webhooks`. */
export const webhooksSuite = <E>(name: string, adapter: Layer.Layer<Ports, E>): void =>
  layer(adapter, { excludeTestServices: true })(`Webhooks ${name}`, (it) => {
    addEndpointTests(it)
    addLimitTests(it)
    addListenerTests(it)
    addDeliveryTests(it)
    addAnnouncementTests(it)
  })

/** An endpoint of an organization with these fields overridden. */
export const newWebhook = (organization_id: string, fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: unique("whk"),
  organization_id,
  url: "https://example.com/hooks",
  created_at: nextTimestamp(),
  ...fields
})

/** Stores an endpoint with the encrypted secret `sealed`. */
export const storedWebhook = Effect.fnUntraced(function* (
  organization_id: string,
  fields: Partial<WebhookEndpoint> = {},
  sealed = "sealed"
) {
  const endpoint = newWebhook(organization_id, fields)
  yield* (yield* Webhooks).create(endpoint, sealed)
  return endpoint
})

/** A new event `webhook.test`. */
export const newTestEvent = (): WebhookEvent => ({
  id: unique("msg"),
  type: "webhook.test",
  at: nextTimestamp(),
  data: { organization_id: "org_1", count: 3 }
})

const addEndpointTests = (it: It): void => {
  it.effect("an endpoint is returned as stored, and listed with those of its organization, newest first", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const [{ id: mine }, { id: other }] = [yield* storedOrganization(), yield* storedOrganization()]
      const first = yield* storedWebhook(mine, { url: "https://example.com/ẹ?a=%20#", description: "Ẹ̀kọ́ “one”" })
      yield* storedWebhook(other)
      const second = yield* storedWebhook(mine)
      assert.deepStrictEqual(yield* webhooks.get(first.id), first)
      assert.deepStrictEqual(yield* webhooks.list(mine), [second, first])
      assert.deepStrictEqual(yield* webhooks.list((yield* storedOrganization()).id), [])
      yield* failsWith(webhooks.list(unique("org")), "NotFound")
    })
  )

  it.effect("an endpoint of an unknown organization is not stored", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const endpoint = newWebhook(unique("org"))
      yield* failsWith(webhooks.create(endpoint, "sealed"), "NotFound")
      yield* failsWith(webhooks.get(endpoint.id), "NotFound")
    })
  )

  it.effect("a removed endpoint is removed with its deliveries, and others stay", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* storedOrganization()
      const [removed, kept] = [yield* storedWebhook(id), yield* storedWebhook(id)]
      const delivery = yield* webhooks.enqueue(removed.id, newTestEvent())
      const other = yield* webhooks.enqueue(kept.id, newTestEvent())
      yield* webhooks.remove(removed.id)
      assert.deepStrictEqual(yield* webhooks.list(id), [kept])
      for (const gone of [webhooks.get(removed.id), webhooks.delivery(delivery.id), webhooks.remove(removed.id)]) {
        yield* failsWith(gone as Effect.Effect<unknown, { readonly _tag: "NotFound" }>, "NotFound")
      }
      assert.deepStrictEqual((yield* webhooks.deliveries(removed.id, wholeList)).items, [])
      assert.deepStrictEqual(yield* webhooks.delivery(other.id), other)
    })
  )

  it.effect("a replaced secret signs until the given time", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* storedOrganization()
      const endpoint = yield* storedWebhook(id)
      const former_secret_until = nextTimestamp()
      const rotated = { ...endpoint, former_secret_until }
      assert.deepStrictEqual(yield* webhooks.rotate(endpoint.id, "another", former_secret_until), rotated)
      assert.deepStrictEqual(yield* webhooks.get(endpoint.id), rotated)
      yield* failsWith(webhooks.rotate(unique("whk"), "another", former_secret_until), "NotFound")
    })
  )
}

const addListenerTests = (it: It): void => {
  it.effect("a listener is stored, gets events, and is resumed with another secret and its deliveries", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* storedOrganization()
      const listener = newListener(id)
      assert.isTrue(yield* webhooks.listen(listener, "sealed", longAgo))
      assert.deepStrictEqual(yield* webhooks.get(listener.id), listener)
      yield* webhooks.announce({ type: "organization.resumed", data: { organization_id: id } })
      const again = { ...listener, listened_at: nextTimestamp() }
      assert.isFalse(yield* webhooks.listen(again, "another", longAgo))
      assert.deepStrictEqual(yield* webhooks.list(id), [again])
      const { items } = yield* webhooks.deliveries(listener.id, wholeList)
      assert.deepStrictEqual(
        items.map(({ event: { type } }) => type),
        ["organization.resumed"]
      )
      yield* failsWith(webhooks.listen(newListener(unique("org")), "sealed", longAgo), "NotFound")
    })
  )

  it.effect("an organization has at most 10 listeners beside its webhooks, also with concurrent requests", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* storedOrganization()
      const listen = Effect.suspend(() => webhooks.listen(newListener(id), "sealed", longAgo))
      const made = yield* Effect.replicateEffect(Effect.exit(listen), 25, { concurrency: "unbounded" })
      assert.strictEqual(made.filter(({ _tag }) => _tag === "Success").length, maxListeners)
      yield* failsWith(listen, "Conflict")
      yield* Effect.replicateEffect(storedWebhook(id), maxWebhooks)
      yield* failsWith(webhooks.create(newWebhook(id), "sealed"), "Conflict")
      // A listener among the limit is resumed.
      const all = yield* webhooks.list(id)
      const mine = all.find(({ listened_at }) => listened_at !== undefined)
      assert.isFalse(yield* webhooks.listen({ ...newListener(id), id: mine?.id ?? "" }, "sealed", longAgo))
      yield* webhooks.announce({ type: "organization.resumed", data: { organization_id: id } })
      for (const { id } of all) assert.strictEqual((yield* webhooks.deliveries(id, wholeList)).items.length, 1)
    })
  )

  it.effect("listeners that were silent for too long are removed when another one starts, and no others", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const [{ id: mine }, { id: other }] = [yield* storedOrganization(), yield* storedOrganization()]
      const silent = { ...newListener(mine), listened_at: "2026-01-01T10:59:59.999Z" }
      const heard = { ...newListener(mine), listened_at: "2026-01-01T11:00:00.000Z" }
      const theirs = { ...newListener(other), listened_at: silent.listened_at }
      const endpoint = yield* storedWebhook(mine)
      for (const one of [silent, heard, theirs]) yield* webhooks.listen(one, "sealed", longAgo)
      const next = { ...newListener(mine), listened_at: "2026-01-01T12:00:00.000Z" }
      yield* webhooks.listen(next, "sealed", "2026-01-01T11:00:00.000Z")
      assert.deepStrictEqual(yield* webhooks.list(mine), [next, heard, endpoint])
      assert.deepStrictEqual(yield* webhooks.get(theirs.id), theirs)
    })
  )
}

const longAgo = "2020-01-01T00:00:00.000Z"

/** A listener of an organization. */
export const newListener = (organization_id: string): WebhookEndpoint & { readonly listened_at: string } => ({
  ...newWebhook(organization_id, { url: "http://localhost:4000/hook" }),
  listened_at: nextTimestamp()
})

const addLimitTests = (it: It): void => {
  it.effect("an organization has at most 10, also with concurrent requests, and another one after a removal", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* storedOrganization()
      const create = Effect.suspend(() => webhooks.create(newWebhook(id), "sealed"))
      const made = yield* Effect.replicateEffect(Effect.exit(create), 25, { concurrency: "unbounded" })
      assert.strictEqual(made.filter(({ _tag }) => _tag === "Success").length, maxWebhooks)
      yield* failsWith(create, "Conflict")
      const [newest] = yield* webhooks.list(id)
      yield* webhooks.remove(newest?.id ?? "")
      yield* create
      yield* failsWith(create, "Conflict")
      assert.strictEqual((yield* webhooks.list(id)).length, maxWebhooks)
    })
  )
}

const addDeliveryTests = (it: It): void => {
  it.effect("an enqueued event is pending and due immediately", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* storedOrganization()
      const endpoint = yield* storedWebhook(id)
      const event = newTestEvent()
      const { next_attempt_at = "", ...delivery } = yield* webhooks.enqueue(endpoint.id, event)
      assert.deepInclude(delivery, { endpoint_id: endpoint.id, event, status: "pending", attempts: 0 })
      assert.strictEqual(new Date(next_attempt_at).toISOString(), next_attempt_at)
      assert.deepStrictEqual(yield* webhooks.delivery(delivery.id), { ...delivery, next_attempt_at })
      yield* failsWith(webhooks.enqueue(unique("whk"), event), "NotFound")
      yield* failsWith(webhooks.delivery(event.id), "NotFound")
      yield* failsWith(webhooks.retry(event.id), "NotFound")
    })
  )

  it.effect("an announced event is enqueued for each endpoint of its organization, as one event", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const [{ id: organization_id }, { id: other }] = [yield* storedOrganization(), yield* storedOrganization()]
      const endpoints = [yield* storedWebhook(organization_id), yield* storedWebhook(organization_id)]
      const foreign = yield* storedWebhook(other)
      const content = { type: "key.revoked", data: { organization_id, environment: "live", key_id: "key_1" } } as const
      yield* webhooks.announce(content)
      yield* webhooks.announce({ type: "organization.closed", data: { organization_id: unique("org") } })
      const [first = [], second = [], none] = yield* Effect.forEach([...endpoints, foreign], ({ id }) =>
        Effect.map(webhooks.deliveries(id, wholeList), ({ items }) => items)
      )
      assert.deepStrictEqual(
        first.map(({ event }) => event),
        second.map(({ event }) => event)
      )
      assert.deepStrictEqual(none, [])
      const [{ attempts, event, status } = assert.fail("no delivery"), ...more] = first
      assert.deepStrictEqual([attempts, status, more], [0, "pending", []])
      assert.deepInclude(event, content)
      assert.strictEqual(new Date(event.at).toISOString(), event.at)
    })
  )

  it.effect("an endpoint with 500 pending deliveries gets no announced event, and others do", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id: organization_id } = yield* storedOrganization()
      const [full, free] = [yield* storedWebhook(organization_id), yield* storedWebhook(organization_id)]
      const test = Effect.suspend(() => webhooks.enqueue(full.id, newTestEvent()))
      yield* Effect.replicateEffect(test, maxPending, { concurrency: 10, discard: true })
      yield* webhooks.announce({ type: "organization.suspended", data: { organization_id } })
      const types = (id: string) =>
        Effect.map(webhooks.deliveries(id, wholeList), ({ items }) => new Set(items.map(({ event }) => event.type)))
      assert.deepStrictEqual(yield* types(full.id), new Set(["webhook.test"]))
      assert.deepStrictEqual(yield* types(free.id), new Set(["organization.suspended"]))
      yield* webhooks.remove(full.id)
      yield* webhooks.remove(free.id)
    })
  )

  it.effect("the deliveries of an endpoint are paged, newest first", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* storedOrganization()
      const [endpoint, other] = [yield* storedWebhook(id), yield* storedWebhook(id)]
      const ids: Array<string> = []
      for (let i = 0; i < 5; i++) {
        ids.push((yield* webhooks.enqueue(endpoint.id, newTestEvent())).id)
        yield* webhooks.enqueue(other.id, newTestEvent())
      }
      yield* checkPaging({
        list: (page) => webhooks.deliveries(endpoint.id, page),
        idOf: (delivery) => delivery.id,
        ids,
        isPrivate: true,
        add: webhooks.enqueue(endpoint.id, newTestEvent())
      })
    })
  )
}

/** A version that was not announced before. */
const newVersion = (): AnnouncedVersion => ({ edition: unique("edition"), changes: 3, at: nextTimestamp() })

const changedTo = ({ edition }: AnnouncedVersion): DirectoryEvent => ({
  type: "directory.changed",
  data: { version: edition, changes: 3 }
})

const addAnnouncementTests = (it: It): void => {
  it.effect(
    "an event about the directory is enqueued for the endpoints of all organizations, once for each of them",
    () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const [{ id: mine }, { id: other }] = [yield* storedOrganization(), yield* storedOrganization()]
        const endpoints = [yield* storedWebhook(mine), yield* storedWebhook(mine), yield* storedWebhook(other)]
        const version = newVersion()
        const announcement = { version, event: changedTo(version) }
        assert.deepStrictEqual(yield* webhooks.announceDirectory(() => Effect.succeed(announcement)), announcement)
        const events = yield* Effect.forEach(endpoints, ({ id }) =>
          Effect.map(webhooks.deliveries(id, wholeList), ({ items }) => items.map(({ event }) => event))
        )
        const [[first] = [], [second] = [], [third] = []] = events
        assert.deepStrictEqual(
          events.map(({ length }) => length),
          [1, 1, 1]
        )
        assert.strictEqual(first?.id, second?.id)
        assert.notStrictEqual(first?.id, third?.id)
        assert.deepInclude(first, { type: "directory.changed" })
        const data = { version: version.edition, changes: 3 }
        assert.deepStrictEqual(first?.data, { organization_id: mine, ...data })
        assert.deepStrictEqual(third?.data, { organization_id: other, ...data })
      })
  )

  it.effect("the version that was announced last is given to the next decision, also if there was no event", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* storedWebhook((yield* storedOrganization()).id)
      const seen: Array<AnnouncedVersion | undefined> = []
      const announce = (next: Announcement | undefined) =>
        webhooks.announceDirectory((last) => {
          seen.push(last)
          return Effect.succeed(next)
        })
      const [first, second] = [newVersion(), newVersion()]
      yield* announce({ version: first, event: undefined })
      yield* announce({ version: second, event: changedTo(second) })
      assert.isUndefined(yield* announce(undefined))
      yield* announce(undefined)
      assert.deepStrictEqual(seen.slice(1), [first, second, second])
      assert.strictEqual((yield* webhooks.deliveries(id, wholeList)).items.length, 1)
    })
  )

  it.effect("of concurrent decisions each sees the one before it, so an event is sent once", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* storedWebhook((yield* storedOrganization()).id)
      const version = newVersion()
      const announce = webhooks.announceDirectory((last) =>
        Effect.as(
          Effect.yieldNow,
          last?.edition === version.edition ? undefined : { version, event: changedTo(version) }
        )
      )
      const announced = yield* Effect.replicateEffect(announce, 10, { concurrency: "unbounded" })
      assert.strictEqual(announced.filter((one) => one !== undefined).length, 1)
      assert.strictEqual((yield* webhooks.deliveries(id, wholeList)).items.length, 1)
    })
  )

  it.effect("a decision that fails announces nothing", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      yield* failsWith(
        webhooks.announceDirectory(() => Effect.fail(new Unavailable({ retry_after_s: 1 }))),
        "Unavailable"
      )
      const version = newVersion()
      assert.isDefined(yield* webhooks.announceDirectory(() => Effect.succeed({ version, event: undefined })))
    })
  )
}
