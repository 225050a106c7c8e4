/** Webhooks and low balances, as owners and operators see them. Deliveries have their own tests. */
import { createHmac } from "node:crypto"
import { webhookEvents } from "@postcode/api"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../world/FixtureDirectory.ts"
import { json, url } from "../world/TestClient.ts"
import type { World } from "../world/World.ts"
import { dataOf, expectFailure, type Received, timestamp } from "./Received.ts"

interface Webhook {
  readonly id: string
  readonly secret: string
}

interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly event: string
}

const organizations = "/v1/admin/organizations"
export const webhooks = (world: World): void => {
  describe("webhooks", () => {
    endpoints(world)
    addresses(world)
    secrets(world)
    deliveries(world)
  })
  describe("listeners", () => {
    listeners(world)
    refusedListeners(world)
  })
  describe("example events", () => triggers(world))
  describe("low balances", () => {
    thresholds(world)
    requests(world)
  })
}

const create = (world: World, organization_id: string, body: object): Promise<Received> =>
  world.operator.call("POST", `${organizations}/${organization_id}/webhooks`, body)

const created = async (world: World, organization_id: string): Promise<Webhook> =>
  dataOf<Webhook>(await create(world, organization_id, { url: "https://example.com/hooks" }))

const endpoints = (world: World): void => {
  it("a webhook is created with a secret of 32 bytes, listed without it, and removed", async () => {
    const organization_id = await world.operator.organization()
    const made = await create(world, organization_id, { url: "HTTPS://Example.com:443/a b?x=1", description: " Ours " })
    expect(made.status).toBe(201)
    const { secret, ...webhook } = dataOf<Webhook>(made)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhook).toEqual({
      id: expect.stringMatching(/^whk_[0-9A-Za-z]{20}$/),
      organization_id,
      url: "https://example.com/a%20b?x=1",
      host: "example.com",
      description: "Ours",
      status: "active",
      created_at: timestamp
    })
    const list = await world.operator.call("GET", `${organizations}/${organization_id}/webhooks`)
    expect(dataOf(list)).toEqual({ webhooks: [webhook] })
    const removed = await world.operator.call("DELETE", `/v1/admin/webhooks/${webhook.id}`)
    expect(dataOf(removed)).toEqual({ id: webhook.id })
    expectFailure(await world.operator.call("DELETE", `/v1/admin/webhooks/${webhook.id}`), "404 not_found")
    const rest = await world.operator.call("GET", `${organizations}/${organization_id}/webhooks`)
    expect(dataOf(rest)).toEqual({ webhooks: [] })
  })

  it("an eleventh webhook is 409", async () => {
    const organization_id = await world.operator.organization()
    for (let i = 0; i < 10; i++) await created(world, organization_id)
    expectFailure(await create(world, organization_id, { url: "https://example.com/" }), "409 conflict", "10")
  })

  const refused: ReadonlyArray<string> = [
    "",
    "example.com",
    "ftp://example.com/",
    "http://example.com/",
    "http://127.0.0.1:8080/",
    "https://user:secret@example.com/",
    "https://example.com/#part",
    `https://example.com/${"x".repeat(2_000)}`,
    "https://localhost/",
    "https://hooks.localhost./",
    "https://127.1/",
    "https://0x7f000001/",
    "https://10.1.2.3/",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://[::ffff:192.168.1.1]/",
    "https://[fd00::1]/"
  ]
  it.each(refused)("a webhook to %s is 400 and the url is named", async (address) => {
    const organization_id = await world.operator.organization()
    expectFailure(await create(world, organization_id, { url: address }), "400 invalid_parameter", "url")
  })
}

const addresses = (world: World): void => {
  it("only roles that may add webhooks see the URL: billing sees its host", async () => {
    const organization_id = await world.operator.organization()
    const path = `${organizations}/${organization_id}/webhooks`
    const address = "https://hooks.example.com:8443/in/a-secret-of-the-endpoint?token=another"
    const { id } = dataOf<Webhook>(await create(world, organization_id, { url: address, description: "Ours" }))
    for (const role of ["operator", "owner", "developer"] as const) {
      const { headers } = await world.operator.account(role, organization_id)
      const { webhooks } = dataOf<{ readonly webhooks: ReadonlyArray<object> }>(
        await world.client.get(path, { headers })
      )
      expect(webhooks, role).toMatchObject([{ id, host: "hooks.example.com:8443", url: address }])
    }
    dataOf(await world.operator.call("POST", `/v1/admin/webhooks/${id}/test`))
    const { headers } = await world.operator.account("billing", organization_id)
    const listed = await world.client.get(path, { headers })
    expect(dataOf(listed)).toEqual({
      webhooks: [
        {
          id,
          organization_id,
          host: "hooks.example.com:8443",
          description: "Ours",
          status: "active",
          created_at: timestamp
        }
      ]
    })
    const sent = await world.client.get(`/v1/admin/webhooks/${id}/deliveries`, { headers })
    expect(sent.text).toContain("webhook.test")
    for (const { text } of [listed, sent]) expect(text).not.toMatch(/secret|token/)
  })
}

const secrets = (world: World): void => {
  it("a secret is rotated, the previous one stays valid for a day, and no other answer contains one", async () => {
    const organization_id = await world.operator.organization()
    const { id, secret } = await created(world, organization_id)
    const before_ms = Date.now()
    const rotated = await world.operator.call("POST", `/v1/admin/webhooks/${id}/rotate-secret`)
    expect(rotated.status).toBe(200)
    const next = dataOf<Webhook & { readonly former_secret_until: string }>(rotated)
    expect(next.secret).toMatch(/^whsec_/)
    expect(next.secret).not.toBe(secret)
    expect(Date.parse(next.former_secret_until) - before_ms).toBeGreaterThanOrEqual(86_400_000)
    expect(Date.parse(next.former_secret_until) - Date.now()).toBeLessThanOrEqual(86_400_000)
    const others = [
      await world.operator.call("POST", `/v1/admin/webhooks/${id}/test`),
      await world.operator.call("GET", `/v1/admin/webhooks/${id}/deliveries`),
      await world.operator.call("GET", `${organizations}/${organization_id}/webhooks`),
      await world.operator.call("GET", url("/v1/admin/audit", { organization_id }))
    ]
    for (const { text } of others) {
      expect(text).not.toContain("whsec_")
      for (const known of [secret, next.secret]) expect(text).not.toContain(known.slice(6, 30))
    }
    expect(others[3]?.text).toContain("webhook.secret_rotated")
  })

  it("changes of webhooks are in the audit log, with the host only", async () => {
    const organization_id = await world.operator.organization()
    const made = await create(world, organization_id, { url: "https://example.com/token-in-the-path" })
    const { id } = dataOf<Webhook>(made)
    const tested = await world.operator.call("POST", `/v1/admin/webhooks/${id}/test`)
    await world.operator.call("POST", `/v1/admin/webhook-deliveries/${dataOf<Delivery>(tested).id}/retry`)
    await world.operator.call("DELETE", `/v1/admin/webhooks/${id}`)
    const { text } = await world.operator.call("GET", url("/v1/admin/audit", { organization_id }))
    for (const action of ["created", "tested", "retried", "removed"]) expect(text).toContain(`"webhook.${action}"`)
    expect(text).toContain('"host":"example.com"')
    expect(text).not.toContain("token-in-the-path")
  })
}

const deliveries = (world: World): void => {
  it("a test event is queued, is listed, newest first, and can be sent again", async () => {
    const { id } = await created(world, await world.operator.organization())
    const tests = [
      await world.operator.call("POST", `/v1/admin/webhooks/${id}/test`),
      await world.operator.call("POST", `/v1/admin/webhooks/${id}/test`)
    ]
    expect(tests.map(({ status }) => status)).toEqual([201, 201])
    const [first, second] = tests.map((received) => dataOf<Delivery>(received)) as [Delivery, Delivery]
    expect(first).toEqual({
      id: expect.stringMatching(/^dlv_\w+$/),
      event_id: expect.stringMatching(/^msg_\w+$/),
      event: "webhook.test",
      status: "pending",
      attempts: 0,
      created_at: timestamp,
      next_attempt_at: timestamp
    })
    expect(first.event_id).not.toBe(second.event_id)
    const list = await world.operator.call("GET", `/v1/admin/webhooks/${id}/deliveries?limit=1`)
    const { deliveries, next_cursor } = dataOf<{ deliveries: ReadonlyArray<Delivery>; next_cursor: string }>(list)
    expect(deliveries).toEqual([second])
    const rest = await world.operator.call(
      "GET",
      url(`/v1/admin/webhooks/${id}/deliveries`, { limit: "5", cursor: next_cursor })
    )
    expect(dataOf(rest)).toEqual({ deliveries: [first], next_cursor: null })
    const retried = await world.operator.call("POST", `/v1/admin/webhook-deliveries/${first.id}/retry`)
    expect(dataOf(retried)).toMatchObject({ id: first.id, status: "pending" })
  })
}

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

const startListener = async (world: World, organization_id: string, body: object = {}) =>
  dataOf<Webhook & { readonly listened_at: string }>(
    await world.operator.call("POST", `${organizations}/${organization_id}/webhook-listeners`, {
      url: "http://localhost:4000/hook",
      secret,
      ...body
    })
  )

interface ReceivedDeliveries {
  readonly next: {
    readonly delivery: Delivery & { readonly attempts: number }
    readonly lease: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  } | null
  readonly settled: { readonly status: string; readonly last_status?: number; readonly fault?: string } | null
}

const receive = async (world: World, id: string, result?: object) =>
  dataOf<ReceivedDeliveries>(
    await world.operator.call("POST", `/v1/admin/webhooks/${id}/receive`, result === undefined ? {} : { result })
  )

const trigger = (world: World, organization_id: string, body: object) =>
  world.operator.call("POST", `${organizations}/${organization_id}/webhook-events`, body)

const listeners = (world: World): void => {
  it("a listener receives signed deliveries one after the other, and its results are stored as those of a webhook", async () => {
    const organization_id = await world.operator.organization()
    const listener = await startListener(world, organization_id, { description: "Command line on ada" })
    expect(listener).toEqual({
      id: expect.stringMatching(/^whk_[0-9A-Za-z]{20}$/),
      organization_id,
      url: "http://localhost:4000/hook",
      host: "localhost:4000",
      description: "Command line on ada",
      status: "active",
      created_at: timestamp,
      listened_at: timestamp
    })
    expect(await receive(world, listener.id)).toEqual({ next: null, settled: null })
    for (const event of ["credits.low", "key.revoked"]) dataOf(await trigger(world, organization_id, { event }))
    const { next } = await receive(world, listener.id)
    const { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": at } = next?.headers ?? {}
    const signed = createHmac("sha256", Buffer.alloc(32, 7)).update(`${id}.${at}.${next?.body}`).digest("base64")
    expect(signature).toBe(`v1,${signed}`)
    expect(next?.delivery).toMatchObject({ event: "credits.low", event_id: id, status: "pending", attempts: 1 })
    expect(next?.headers["content-type"]).toBe("application/json")
    const of = (one: ReceivedDeliveries["next"]) => ({ delivery_id: one?.delivery.id, lease: one?.lease ?? 0 })
    const second = await receive(world, listener.id, { ...of(next), status: 204 })
    expect(second.settled).toMatchObject({ status: "delivered", last_status: 204 })
    expect(second.next?.delivery).toMatchObject({ event: "key.revoked" })
    const third = await receive(world, listener.id, { ...of(second.next), fault: "the connection was refused" })
    const fault = { status: "pending", fault: "the connection was refused", next_attempt_at: timestamp }
    expect(third).toMatchObject({ next: null, settled: fault })
    // The result of a lease that is over changes nothing, and neither does one of a delivery that is settled.
    const { delivery_id, lease } = of(second.next)
    const late = { delivery_id, lease: lease - 1, status: 200 }
    expect((await receive(world, listener.id, late)).settled).toMatchObject(fault)
    const again = { ...of(next), fault: "the connection was refused" }
    expect((await receive(world, listener.id, again)).settled).toMatchObject({ status: "delivered" })
  })

  it("a listener that starts again with its secret is the same, and gets what it had leased; another secret is another one", async () => {
    const organization_id = await world.operator.organization()
    const { id } = await startListener(world, organization_id)
    dataOf(await trigger(world, organization_id, { event: "organization.closed" }))
    const lost = await receive(world, id)
    expect((await receive(world, id)).next).toBeNull()
    expect((await startListener(world, organization_id)).id).toBe(id)
    expect((await receive(world, id)).next?.delivery).toMatchObject({ id: lost.next?.delivery.id, attempts: 2 })
    const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`
    expect((await startListener(world, organization_id, { secret: other })).id).not.toBe(id)
    expect((await startListener(world, organization_id, { url: "http://localhost:4000/" })).id).not.toBe(id)
    expect((await startListener(world, await world.operator.organization())).id).not.toBe(id)
  })

  it("410 does not disable a listener, and no answer or audit entry contains its secret or its path", async () => {
    const organization_id = await world.operator.organization()
    const { id } = await startListener(world, organization_id, { url: "http://localhost:4000/secret-path" })
    await startListener(world, organization_id, { url: "http://localhost:4000/secret-path" })
    dataOf(await trigger(world, organization_id, { event: "webhook.test" }))
    const { next } = await receive(world, id)
    const result = { delivery_id: next?.delivery.id, lease: next?.lease, status: 410 }
    expect((await receive(world, id, result)).settled).toMatchObject({ status: "failed", last_status: 410 })
    const list = await world.operator.call("GET", `${organizations}/${organization_id}/webhooks`)
    expect(dataOf(list)).toMatchObject({ webhooks: [{ id, status: "active", listened_at: timestamp }] })
    const audit = await world.operator.call("GET", url("/v1/admin/audit", { organization_id }))
    expect(audit.text.match(/"webhook\.listened"/g)).toHaveLength(1)
    expect(audit.text).toContain('"host":"localhost:4000"')
    expect(audit.text).not.toContain("secret-path")
    for (const { text } of [list, audit]) expect(text).not.toContain(secret.slice(6))
  })
}

const refusedListeners = (world: World): void => {
  it("an eleventh listener is 409 and says what the limit is; one that stopped makes room", async () => {
    const organization_id = await world.operator.organization()
    const start = (port: number) =>
      world.operator.call("POST", `${organizations}/${organization_id}/webhook-listeners`, {
        url: `http://localhost:${port}/`,
        secret
      })
    const started = await Promise.all(Array.from({ length: 10 }, (_, i) => start(4_000 + i)))
    expectFailure(await start(5_000), "409 conflict", "10 programs listen")
    expect((await start(4_003)).status).toBe(200)
    await world.operator.call("DELETE", `/v1/admin/webhooks/${dataOf<Webhook>(started[0] as Received).id}`)
    expect((await start(5_000)).status).toBe(200)
    // Webhooks have a limit of their own.
    await created(world, organization_id)
  })

  it("a webhook with an address gives its deliveries to no program, and one of others is not found", async () => {
    const organization_id = await world.operator.organization()
    const { id } = await created(world, organization_id)
    const path = `/v1/admin/webhooks/${id}/receive`
    expectFailure(await world.operator.call("POST", path, {}), "409 conflict", "only listeners")
    const listener = await startListener(world, organization_id)
    const { headers } = await world.operator.account("developer", await world.operator.organization())
    const message = { method: "POST", target: `/v1/admin/webhooks/${listener.id}/receive`, ...json({}, { headers }) }
    expectFailure(await world.client.send(message), "404 not_found")
    const billing = await world.operator.account("billing", organization_id)
    const asBilling = { ...message, ...json({}, { headers: billing.headers }) }
    expectFailure(await world.client.send(asBilling), "403 insufficient_scope")
  })

  it("the delivery of another webhook is not settled", async () => {
    const organization_id = await world.operator.organization()
    const { id } = await startListener(world, organization_id)
    const endpoint = await created(world, organization_id)
    const tested = await world.operator.call("POST", `/v1/admin/webhooks/${endpoint.id}/test`)
    const delivery_id = dataOf<Delivery>(tested).id
    for (const one of [delivery_id, "dlv_unknown"]) {
      expect((await receive(world, id, { delivery_id: one, lease: 0, status: 200 })).settled).toBeNull()
    }
    const list = await world.operator.call("GET", `/v1/admin/webhooks/${endpoint.id}/deliveries`)
    expect(dataOf(list)).toMatchObject({ deliveries: [{ status: "pending", attempts: 0 }] })
  })

  const bad: ReadonlyArray<readonly [object, string]> = [
    [{ secret: "whsec_short" }, "secret"],
    [{ secret: "" }, "secret"],
    [{ secret: `whsec_${"A".repeat(44)}` }, "secret"],
    [{ url: "localhost:4000" }, "url"],
    [{ url: "file:///etc/passwd" }, "url"],
    [{ url: "http://user:password@localhost/" }, "url"],
    [{ description: "x".repeat(201) }, "description"]
  ]
  it.each(bad)("a listener with %j is 400, and no value is repeated", async (body, named) => {
    const received = await world.operator.call(
      "POST",
      `${organizations}/${await world.operator.organization()}/webhook-listeners`,
      { url: "http://localhost:4000/hook", secret, ...body }
    )
    expectFailure(received, "400 invalid_parameter", named)
    expect(received.text).not.toContain(secret.slice(6))
    expect(received.text).not.toContain("password@")
  })
}

const triggers = (world: World): void => {
  it.each(webhookEvents)(
    "an example of $type reaches listeners, and webhooks if asked to, as its schema says, with test: true",
    async ({ body, type }) => {
      const organization_id = await world.operator.organization()
      const endpoint = await created(world, organization_id)
      const listener = await startListener(world, organization_id)
      const triggered = await trigger(world, organization_id, { event: type, all: true })
      expect(triggered.status).toBe(201)
      const { deliveries, ...rest } = dataOf<{
        readonly event_id: string
        readonly deliveries: ReadonlyArray<{ readonly webhook_id: string }>
      }>(triggered)
      expect(rest).toEqual({ event: type, event_id: expect.stringMatching(/^msg_/) })
      expect(deliveries).toEqual([
        { id: expect.stringMatching(/^dlv_/), webhook_id: listener.id, host: "localhost:4000", listens: true },
        { id: expect.stringMatching(/^dlv_/), webhook_id: endpoint.id, host: "example.com", listens: false }
      ])
      const { next } = await receive(world, listener.id)
      expect(next?.headers["webhook-id"]).toBe(rest.event_id)
      const event = JSON.parse(next?.body ?? "")
      expect(Schema.decodeUnknownSync(body)(event, { onExcessProperty: "error" })).toEqual(event)
      expect(event).toMatchObject({ type, data: { organization_id, test: true } })
    }
  )

  it("an example changes nothing and is noted; without a webhook it is 409, and a foreign webhook is 404", async () => {
    const organization_id = await world.operator.organization()
    const everywhere = { event: "credits.low", all: true }
    expectFailure(await trigger(world, organization_id, everywhere), "409 conflict", "no active webhook")
    const [first, second] = [await created(world, organization_id), await created(world, organization_id)]
    expectFailure(await trigger(world, organization_id, { event: "credits.low" }), "409 conflict", "no program listens")
    const listener = await startListener(world, organization_id)
    const listened = await trigger(world, organization_id, { event: "credits.low" })
    expect(dataOf<{ readonly deliveries: unknown }>(listened).deliveries).toMatchObject([{ webhook_id: listener.id }])
    const one = await trigger(world, organization_id, { event: "organization.closed", webhook_id: second.id })
    expect(dataOf(one)).toMatchObject({ deliveries: [{ webhook_id: second.id }] })
    const list = await world.operator.call("GET", `/v1/admin/webhooks/${first.id}/deliveries`)
    expect(dataOf(list)).toMatchObject({ deliveries: [] })
    const shown = await world.operator.call("GET", `${organizations}/${organization_id}`)
    expect(dataOf(shown)).toMatchObject({ status: "active" })
    const audit = await world.operator.call("GET", url("/v1/admin/audit", { organization_id }))
    expect(audit.text).toContain('"webhook.triggered"')
    const foreign = await created(world, await world.operator.organization())
    for (const webhook_id of [foreign.id, "whk_unknown"]) {
      const refused = await trigger(world, organization_id, { event: "credits.low", webhook_id })
      expectFailure(refused, "404 not_found", "webhook")
    }
    expectFailure(await trigger(world, organization_id, { event: "credits.high" }), "400 invalid_parameter", "event")
  })
}

const thresholds = (world: World): void => {
  it("a threshold is set, shown with the balance, and removed; the same value again has no audit entry", async () => {
    const organization_id = await world.operator.organization()
    const path = `${organizations}/${organization_id}/credits`
    const set = (threshold: number | null) =>
      world.operator.call("PUT", `${path}/threshold`, { environment: "test", threshold })
    const shown = async () =>
      dataOf<object>(await world.operator.call("GET", url(path, { environment: "test", limit: "1" })))
    expect(await shown()).toMatchObject({ balance: 1_000, low_balance_threshold: null })
    for (const threshold of [400, 400, null]) {
      expect(dataOf(await set(threshold))).toEqual({ balance: 1_000, low_balance_threshold: threshold })
      expect(await shown()).toMatchObject({ low_balance_threshold: threshold })
    }
    const { text } = await world.operator.call("GET", url("/v1/admin/audit", { organization_id }))
    expect(text.match(/"credits.threshold_set"/g)).toHaveLength(2)
    expect(text).toContain('"threshold":400')
  })

  it.each([0, -1, 1.5, "5", 1_000_000_000_001, undefined])("a threshold of %s is 400 and named", async (threshold) => {
    const path = `${organizations}/${await world.operator.organization()}/credits/threshold`
    const received = await world.operator.call("PUT", path, { environment: "test", threshold })
    expectFailure(received, "400 invalid_parameter", "threshold")
  })

  it("lookups that take the balance below the threshold create one event for each webhook", async () => {
    const { organization_id, secret } = await world.operator.key()
    const { id } = await created(world, organization_id)
    const path = `${organizations}/${organization_id}/credits/threshold`
    await world.operator.call("PUT", path, { environment: "test", threshold: 999 })
    for (let i = 0; i < 3; i++) {
      const looked = await world.client.get(url("/v1/lookup", { code: postcodes.full, level: "2" }), { key: secret })
      expect(looked.status).toBe(200)
    }
    const list = await world.operator.call("GET", `/v1/admin/webhooks/${id}/deliveries`)
    expect(dataOf<{ deliveries: ReadonlyArray<Delivery> }>(list).deliveries).toMatchObject([{ event: "credits.low" }])
  })
}

const requests = (world: World): void => {
  it("a ledger entry has the request, the key and the level, and is found by the request id", async () => {
    const { id: key_id, organization_id, secret } = await world.operator.key()
    const request_id = `req-${organization_id}`
    const look = (id: string) =>
      world.client.get(url("/v1/lookup", { code: postcodes.full, level: "3" }), {
        key: secret,
        headers: { "x-request-id": id }
      })
    await look(request_id)
    await look(`${request_id}-other`)
    const path = `${organizations}/${organization_id}/credits`
    const found = await world.operator.call("GET", url(path, { environment: "test", reference: request_id }))
    expect(dataOf(found)).toMatchObject({
      balance: 996,
      entries: [{ amount: -2, reason: "lookup", reference: request_id, key_id, level: 3, balance_after: 998 }],
      next_cursor: null
    })
    const none = await world.operator.call("GET", url(path, { environment: "live", reference: request_id }))
    expect(dataOf(none)).toMatchObject({ balance: 0, entries: [] })
  })
}
