// The example top-up, for Stripe and for Paystack: what providers tell twice, late, in another order or wrongly, and what
// others make up, against a real service over a network that fails.
import { createServer, request as forward } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { manage } from "../../drills/kit/Management.ts"
import { type Service, serveSmallDirectory } from "../../drills/kit/StartCommand.ts"
import { operatorToken } from "../../packages/conformance/src/world/OperatorToken.ts"
import { ended, listening, startExample, stopped } from "./ExamplePrograms.ts"
import { type Paid, type Provider, paystack, type Sent, stripe } from "./PaymentProviders.ts"

/** A network to the service: calls are lost before or after they arrive, by chance. */
class Network {
  /** The part of calls that fail. */
  failing = 0
  /** Whether nothing passes. */
  isDown = false
  private readonly server = createServer((request, response) => {
    const chance = Math.random()
    if (this.isDown || chance < this.failing / 3) return void request.socket.destroy()
    const answersBusy = chance < (this.failing * 2) / 3
    if (answersBusy) return void response.writeHead(503, { "retry-after": "0" }).end()
    const losesAnswer = chance < this.failing
    const target = new URL(request.url ?? "/", this.target)
    const onward = forward(target, { method: request.method, headers: request.headers }, (answer) => {
      if (losesAnswer) {
        answer.resume()
        return void request.socket.destroy()
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => request.socket.destroy())
    request.pipe(onward)
  })
  private readonly target: string

  constructor(target: string) {
    this.target = target
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

const packs = new Map([
  [250_000, 1_000],
  [1_000_000, 5_000],
  [333_333, 777]
])

/** An event, signed anew at each attempt, and the status that ends the attempts. */
interface Told {
  readonly sent: () => Sent
  readonly status: 200 | 400
}

interface Entry {
  readonly amount: number
  readonly reason: string
  readonly reference: string
}

it("another provider is not understood", async () => {
  const env = {
    POSTCODE_URL: "http://127.0.0.1:1",
    POSTCODE_OPERATOR_TOKEN: operatorToken,
    CURRENCY: "ngn",
    PACKS: "1=1"
  }
  for (const args of [[], ["Stripe"], ["constructor"]]) {
    const { code, stderr } = await ended(startExample("top-up", { args, env }))
    expect([code, stderr]).toEqual([1, expect.stringContaining("expected: npm start -- stripe, or paystack")])
  }
})

describe.for([
  ["Stripe", stripe],
  ["Paystack", paystack]
] as const)("top-ups by %s", ([name, open]) => {
  let service: Service
  let network: Network
  let provider: Provider
  let program: ReturnType<typeof startExample>
  let url: string
  let log = ""

  beforeAll(async () => {
    service = await serveSmallDirectory(["--address-rate-limit", "1000000"], { POSTCODE_OPERATOR_TOKEN: operatorToken })
    network = new Network(service.url)
    provider = await open()
    const PACKS = [...packs].map(([price, credits]) => `${price}=${credits}`).join()
    const connection = { POSTCODE_URL: await network.open(), POSTCODE_OPERATOR_TOKEN: operatorToken }
    program = startExample("top-up", {
      args: [provider.name],
      env: { ...provider.env, ...connection, CURRENCY: "ngn", PACKS, PORT: "0" }
    })
    url = await listening(program)
    program.stderr.on("data", (chunk) => {
      log += chunk
    })
  })
  afterAll(async () => {
    network.close()
    expect(await stopped(program)).toBe(0)
    await provider[Symbol.asyncDispose]()
    await service.stop()
  })

  let payments = 0
  const organization = async () =>
    (await manage<{ id: string }>(service.url, "POST", "/organizations", { name: "Buyer" })).id
  const paidBy = (organization_id: unknown, changes: Partial<Paid> = {}): Paid => ({
    id: `pay-${++payments}`,
    amount: 250_000,
    currency: "ngn",
    isLive: true,
    metadata: { organization_id, environment: "live" },
    ...changes
  })
  const send = async ({ body, headers }: Sent, path = "/webhook"): Promise<number> =>
    (await fetch(url + path, { method: "POST", body, headers })).status
  const tell = (body: string) => send(provider.sign(body))
  /** As a provider does: an event that is not accepted goes back to the others. */
  const tellAll = async (events: ReadonlyArray<Told>, atOnce: number): Promise<number> => {
    const queue = [...events].sort(() => Math.random() - 0.5)
    let repeated = 0
    const work = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        const status = await send(next.sent())
        if (status === next.status) continue
        expect(status).toBe(503)
        repeated++
        queue.splice(Math.floor(Math.random() * queue.length), 0, next)
        if (queue.length < atOnce) await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return repeated
  }
  const ledger = async (id: string, environment = "live"): Promise<ReadonlyArray<Entry>> => {
    const entries: Array<Entry> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const next = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
      const path = `/organizations/${id}/credits?environment=${environment}&limit=100${next}`
      const page: { entries: ReadonlyArray<Entry>; next_cursor: string | null } = await manage(service.url, "GET", path)
      entries.push(...page.entries)
      cursor = page.next_cursor
    }
    return entries.map(({ amount, reason, reference }) => ({ amount, reason, reference })).toReversed()
  }

  it("a payment is granted once, however often and late it is told", async () => {
    const id = await organization()
    const paid = paidBy(id)
    const body = provider.payment(paid)
    expect(await Promise.all(Array.from({ length: 5 }, () => tell(body)))).toEqual([200, 200, 200, 200, 200])
    expect(await tell(provider.payment(paid))).toBe(200)
    expect(await ledger(id)).toEqual([{ amount: 1_000, reason: "grant", reference: paid.id }])
  })

  it("refunds take the credits back in proportion, once each, and all of them in the end", async () => {
    const id = await organization()
    const paid = paidBy(id)
    await tell(provider.payment(paid))
    const partly = provider.refund(paid, 0, 100_000)
    expect([await tell(partly), await tell(partly)]).toEqual([200, 200])
    expect(await tell(provider.refund(paid, 100_000, 250_000))).toBe(200)
    expect(await ledger(id)).toEqual([
      { amount: 1_000, reason: "grant", reference: paid.id },
      { amount: -400, reason: "refund", reference: provider.correction(paid, 0, 100_000) },
      { amount: -600, reason: "refund", reference: provider.correction(paid, 100_000, 250_000) }
    ])
  })

  it("a refund that is told before its payment waits for it", async () => {
    const id = await organization()
    await manage(service.url, "POST", `/organizations/${id}/credits`, {
      amount: 9_000,
      environment: "live",
      reference: "old"
    })
    const paid = paidBy(id)
    const refund = provider.refund(paid, 0, paid.amount)
    expect(await tell(refund)).toBe(503)
    expect(await ledger(id)).toHaveLength(1)
    expect(await tell(provider.payment(paid))).toBe(200)
    expect(await tell(refund)).toBe(200)
    expect((await ledger(id)).map(({ amount }) => amount)).toEqual([9_000, 1_000, -1_000])
  })

  it("what buys nothing changes nothing, is accepted, and is reported to a person", async () => {
    const id = await organization()
    const unusual: ReadonlyArray<readonly [string, Paid]> = [
      ["the currency is", paidBy(id, { currency: "usd" })],
      ["no pack costs 249999", paidBy(id, { amount: 249_999 })],
      ["no pack costs 0", paidBy(id, { amount: 0 })],
      ["buys no live credits", paidBy(id, { isLive: false })],
      ["no organization is named", paidBy(undefined)],
      ["no organization is named", paidBy("../../x")],
      ["the environment is neither", paidBy(id, { metadata: { organization_id: id, environment: "prod" } })],
      ["no organization is named", paidBy(id, { metadata: {} })],
      ["there is no organization with this id", paidBy("org_ZZZZZZZZZZZZZZZZZZZZZZZZ")]
    ]
    for (const [reason, paid] of unusual) {
      log = ""
      expect(await tell(provider.payment(paid)), reason).toBe(200)
      await expect.poll(() => log).toContain(`needs attention: "${paid.id}": `)
      expect(log).toContain(reason)
      expect(await tell(provider.refund(paid, 0, paid.amount)), reason).toBe(200)
    }
    expect(await ledger(id)).toEqual([])
  })

  it("a test payment buys test credits, and a payment of one organization nothing for another", async () => {
    const [id, other] = [await organization(), await organization()]
    const paid = paidBy(id, { isLive: false, metadata: { organization_id: id, environment: "test" } })
    expect(await tell(provider.payment(paid))).toBe(200)
    expect((await ledger(id, "test")).at(-1)).toEqual({ amount: 1_000, reason: "grant", reference: paid.id })
    expect(await ledger(id)).toEqual([])
    expect(await ledger(other)).toEqual([])
    expect(await ledger(other, "test")).toHaveLength(1)
  })

  it("a refund of spent credits changes nothing, and is reported to a person", async () => {
    const id = await organization()
    const paid = paidBy(id)
    await tell(provider.payment(paid))
    const spent = { amount: -900, environment: "live", kind: "adjustment", reason: "spent", reference: "spent" }
    await manage(service.url, "POST", `/organizations/${id}/credits/corrections`, spent)
    log = ""
    expect(await tell(provider.refund(paid, 0, paid.amount))).toBe(200)
    await expect.poll(() => log).toContain(`needs attention: "${paid.id}": `)
    expect((await ledger(id)).map(({ amount }) => amount)).toEqual([1_000, -900])
  })

  it("what the provider did not send is 400, and changes nothing", async () => {
    const id = await organization()
    const body = provider.payment(paidBy(id))
    const real = provider.sign(body)
    const forged: ReadonlyArray<Sent> = [
      { body, headers: {} },
      { body, headers: Object.fromEntries(Object.keys(real.headers).map((name) => [name, "v1=0"])) },
      provider.sign(body, { secret: `${Object.values(provider.env)[0]}x` }),
      { ...real, body: `${body} ` },
      { ...real, body: body.replace("250000", "1000000") },
      { body: "", headers: real.headers }
    ]
    for (const sent of forged) expect(await send(sent)).toBe(400)
    if (name === "Stripe") expect(await send(provider.sign(body, { age_s: 301 }))).toBe(400)
    expect(await ledger(id)).toEqual([])
    expect(await send(real, "/other")).toBe(404)
    expect((await fetch(`${url}/webhook`)).status).toBe(405)
    expect(await send({ ...real, body: "x".repeat(1_000_001) })).toBe(413)
    expect(await tell(JSON.stringify({ event: "other", type: "other", object: "event", data: {} }))).toBe(200)
  })

  it("while the service is down, the provider is told to try again", async () => {
    const id = await organization()
    const body = provider.payment(paidBy(id))
    network.isDown = true
    expect(await tell(body)).toBe(503)
    network.isDown = false
    expect(await ledger(id)).toEqual([])
    expect(await tell(body)).toBe(200)
    expect(await ledger(id)).toHaveLength(1)
  })

  it("1,000 payments with all disturbances: the ledger has each once", async () => {
    const organizations = await Promise.all(Array.from({ length: 10 }, organization))
    const prices = [...packs.keys()]
    const expected = new Map<string, Array<Entry>>(organizations.map((id) => [id, []]))
    const events: Array<Told> = []
    const add = (body: string) => events.push({ sent: () => provider.sign(body), status: 200 })
    for (let i = 0; i < 1_000; i++) {
      const id = organizations[i % 10] as string
      const amount = prices[i % 3] as number
      const isWrong = i % 11 === 0
      const paid = paidBy(id, isWrong ? wrong[i % wrong.length]!(id) : { amount })
      const credits = packs.get(amount) ?? 0
      const entries = expected.get(id) as Array<Entry>
      if (!isWrong) entries.push({ amount: credits, reason: "grant", reference: paid.id })
      const tellings = 1 + (i % 3)
      const body = provider.payment(paid)
      for (let time = 0; time < tellings; time++) add(body)
      const steps = i % 5 === 0 ? [0, Math.floor(amount / 3), amount] : i % 7 === 0 ? [0, amount] : []
      for (const [step, after] of steps.slice(1).entries()) {
        const before = steps[step] as number
        const refund = provider.refund(paid, before, after)
        add(refund)
        add(refund)
        const share = (refunded: number) => Math.floor((credits * refunded) / amount)
        const taken = name === "Stripe" ? share(after) - share(before) : share(after - before)
        if (!isWrong)
          entries.push({ amount: -taken, reason: "refund", reference: provider.correction(paid, before, after) })
      }
      if (i % 9 === 0) {
        const forged = provider.payment(paidBy(id, { amount }))
        events.push({ sent: () => provider.sign(forged, { secret: "whsec_other" }), status: 400 })
      }
    }
    network.failing = 0.2
    const outages = setInterval(() => {
      network.isDown = !network.isDown && Math.random() < 0.3
    }, 150)
    const repeated = await tellAll(events, 50)
    clearInterval(outages)
    Object.assign(network, { failing: 0, isDown: false })
    expect(repeated).toBeGreaterThan(100)
    const sorted = (entries: ReadonlyArray<Entry>) => entries.map((entry) => JSON.stringify(entry)).toSorted()
    for (const id of organizations) expect(sorted(await ledger(id))).toEqual(sorted(expected.get(id) ?? []))
  }, 400_000)
})

/** Payments that buy nothing. */
const wrong: ReadonlyArray<(id: string) => Partial<Paid>> = [
  () => ({ currency: "ghs" }),
  () => ({ amount: 123 }),
  () => ({ isLive: false }),
  () => ({ metadata: { organization_id: "org_ZZZZZZZZZZZZZZZZZZZZZZZZ", environment: "live" } }),
  (id) => ({ metadata: { organization_id: id } })
]
