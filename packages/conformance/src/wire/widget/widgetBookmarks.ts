/** The endpoints of widget sessions: the end user's bookmarks, and the record of a selection. */

import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Unavailable } from "@postcode/gateway/Errors"
import { RateLimiter, takeInOrder } from "@postcode/gateway/limits/RateLimiter"
import { UsageLog } from "@postcode/gateway/usage/UsageLog"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import type { GatewayPorts } from "@postcode/http"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestKey } from "../../world/Operator.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received } from "../Received.ts"

export const widgetBookmarks = (world: World): void => {
  describe("GET /v1/widget/bookmarks", () => {
    bookmarks(world)
    sameWork(world)
  })
  describe("POST /v1/widget/selected", () => {
    selected(world)
  })
}

const saved = [
  { postcode: postcodes.full, label: "Work" },
  { postcode: "LA-12-A03-BG-99", label: "Ilé, “Flat 2” 🏠" },
  { postcode: postcodes.full, label: "Home" }
]

let people = 0
/** An end user with bookmarks, and the identifiers that lead to them. */
const person = async (world: World): Promise<readonly [nin: string, email: string]> => {
  people++
  const identifiers = [String(70_000_000_000 + people), `person.${people}@bookmarks.example`] as const
  await world.operator.call("PUT", "/v1/admin/end-users", { identifiers, bookmarks: saved })
  return identifiers
}

const publishable = (world: World): Promise<TestKey> => world.operator.key({ kind: "publishable" })

const listed = (received: Received) => dataOf<{ readonly bookmarks: unknown }>(received).bookmarks

const bookmarks = (world: World): void => {
  it("each identifier leads to the end user's bookmarks, in their order, with code and label only", async () => {
    const key = await publishable(world)
    const [nin, email] = await person(world)
    for (const identifier of [nin, email, email.toUpperCase(), ` ${nin}`]) {
      const token = await world.operator.session(key, identifier)
      expect(listed(await world.client.get("/v1/widget/bookmarks", { token }))).toEqual(saved)
    }
  })

  it("they are the current ones, not those at the start of the session", async () => {
    const [nin, email] = await person(world)
    const token = await world.operator.session(await publishable(world), nin)
    await world.operator.call("PUT", "/v1/admin/end-users", { identifiers: [nin, email], bookmarks: saved.slice(1, 2) })
    expect(listed(await world.client.get("/v1/widget/bookmarks", { token }))).toEqual(saved.slice(1, 2))
  })

  it("the answer for an unknown end user is the same as for one without bookmarks", async () => {
    const nobodyHas = "44433322211"
    const hasNone = "11122233344"
    await world.operator.call("PUT", "/v1/admin/end-users", { identifiers: [hasNone], bookmarks: [] })
    const answers: Array<unknown> = []
    for (const identifier of [nobodyHas, hasNone]) {
      const token = await world.operator.session(await publishable(world), identifier)
      world.client.newVisitor()
      const headers = { "x-request-id": "the-same" }
      const received = await world.client.get("/v1/widget/bookmarks", { token, headers })
      const { date: _, ...rest } = received.headers
      answers.push({ ...received, headers: rest, body: undefined })
      expect(received.text).toBe('{"data":{"bookmarks":[]}}')
    }
    expect(answers[0]).toEqual(answers[1])
  })

  it("HEAD answers like GET without the body", async () => {
    const token = await world.operator.session(await publishable(world))
    const target = "/v1/widget/bookmarks"
    const [got, head] = [
      await world.client.get(target, { token }),
      await world.client.send({ method: "HEAD", target, token })
    ]
    expect(head.status).toBe(200)
    expect(head.headers["content-length"]).toBe(got.headers["content-length"])
  })

  it("is counted in the usage of the session's organization", async () => {
    const key = await publishable(world)
    const token = await world.operator.session(key)
    await world.client.get("/v1/widget/bookmarks", { token })
    const target = `/v1/admin/organizations/${key.organization_id}/usage?environment=test`
    await expect
      .poll(async () => dataOf<{ readonly usage: unknown }>(await world.operator.call("GET", target)).usage)
      .toContainEqual(expect.objectContaining({ operation: "widget.bookmarks", requests: 1, credits: 0 }))
  })
}

const sameWork = (world: World): void => {
  it("the stores get the same calls in the same order for a known and an unknown identifier", async () => {
    const asked: Array<string> = []
    const { client } = await world.serveAnother({}, (effect) => listen(effect, asked))
    const [known] = await person(world)
    const work: Array<ReadonlyArray<string>> = []
    for (const identifier of [known, "10293847561"]) {
      const key = await publishable(world)
      const started = await client.post("/v1/widget/session", { identifier }, { key: key.secret })
      const { token } = dataOf<{ readonly token: string }>(started)
      expect(outcomeOf(await client.get("/v1/widget/bookmarks", { token }))).toBe("200")
      work.push(asked.splice(0))
    }
    expect(work[0]).toEqual([
      "1 of 600: address",
      "1 of 6000: key",
      "1 of 6000: organization_visitors",
      "1 of 30: session_address",
      "1 of 10: identifier",
      "audit: widget_session.requested",
      "charge: 1, widget_session",
      "usage: widget.session, 1",
      "1 of 600: address",
      "bookmarks of 1",
      "usage: widget.bookmarks, 0"
    ])
    expect(work[1]).toEqual(work[0])
  })
}

/** Runs with ports that record their calls, without the identifiers. */
const listen: <A, E>(
  effect: Effect.Effect<A, E, GatewayPorts>,
  asked: Array<string>
) => Effect.Effect<A, E, GatewayPorts> = Effect.fnUntraced(function* (effect, asked) {
  const [audit, endUsers, ledger, limiter, usage] = [
    yield* AuditLog,
    yield* EndUsers,
    yield* CreditLedger,
    yield* RateLimiter,
    yield* UsageLog
  ]
  const heard = <A>(what: string, answer: () => A): A => {
    asked.push(what)
    return answer()
  }
  const take: RateLimiter["Service"]["take"] = (subject, limit, cost) =>
    heard(`${cost} of ${limit}: ${subject.split(":")[0]}`, () => limiter.take(subject, limit, cost))
  return yield* effect.pipe(
    Effect.provideService(EndUsers, {
      ...endUsers,
      find: (hashes) => heard("account", () => endUsers.find(hashes)),
      bookmarks: (hashes) => heard(`bookmarks of ${hashes.length}`, () => endUsers.bookmarks(hashes))
    }),
    Effect.provideService(RateLimiter, { take, takeAll: takeInOrder(take) }),
    Effect.provideService(AuditLog, {
      ...audit,
      append: (event) => heard(`audit: ${event.action}`, () => audit.append(event))
    }),
    Effect.provideService(CreditLedger, {
      ...ledger,
      charge: (charge) => heard(`charge: ${charge.amount}, ${charge.reason}`, () => ledger.charge(charge))
    }),
    Effect.provideService(UsageLog, {
      ...usage,
      record: (event) => heard(`usage: ${event.operation}, ${event.credits}`, () => usage.record(event))
    })
  )
})

interface RecordedSelection {
  readonly postcode: string
  readonly source?: string
  readonly subject?: string
}

const selectionsOf = (world: World, key: TestKey): Promise<ReadonlyArray<RecordedSelection>> =>
  world.run(
    Effect.map(
      Effect.flatMap(Selections, ({ list }) => list(key.organization_id, { limit: 100, cursor: undefined })),
      ({ items }) => items
    )
  )

const select = (world: World, token: string, postcode: unknown, source?: unknown) =>
  world.client.post("/v1/widget/selected", { postcode, source }, { token })

const selected = (world: World): void => {
  it("records the postcode in any format, with the key and the hashed identifier", async () => {
    const key = await publishable(world)
    const token = await world.operator.session(key, "picks@example.ng")
    const formats = ["LA-12-A03-BG-07", "la 12 a03 bg 07", " LA12A03BG07 "]
    for (const postcode of formats) {
      expect(dataOf(await select(world, token, postcode))).toEqual({ recorded: true })
    }
    await expect.poll(async () => (await selectionsOf(world, key)).length).toBe(3)
    const recorded = await selectionsOf(world, key)
    for (const selection of recorded) {
      expect(selection).toEqual({
        id: expect.stringMatching(/^sel_[0-9A-Za-z]{20}$/),
        organization_id: key.organization_id,
        key_id: key.id,
        environment: "test",
        subject: expect.stringMatching(/^1:[0-9a-f]{64}$/),
        postcode: "LA-12-A03-BG-07",
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      })
    }
    expect(new Set(recorded.map(({ subject }) => subject)).size).toBe(1)
  })

  it("records the source, which may be missing", async () => {
    const key = await publishable(world)
    const token = await world.operator.session(key)
    for (const source of ["bookmark", "search", "discover", undefined]) {
      expect(dataOf(await select(world, token, postcodes.full, source))).toEqual({ recorded: true })
    }
    await expect
      .poll(async () => (await selectionsOf(world, key)).map(({ source }) => source))
      .toEqual([undefined, "discover", "search", "bookmark"])
  })

  it.each(["typed", "Search", "", null, 1, ["search"]])(
    "another source is 400 and is not recorded: %j",
    async (source) => {
      const key = await publishable(world)
      const token = await world.operator.session(key)
      const received = await select(world, token, postcodes.full, source)
      expectFailure(received, "400 invalid_parameter", "source: expected one of bookmark, search, discover")
      expect(await selectionsOf(world, key)).toEqual([])
    }
  )

  it("does not ask whether the postcode exists", async () => {
    const token = await world.operator.session(await publishable(world))
    expect((await select(world, token, "ZZ-99-ZZZ-ZZ-99")).status).toBe(200)
  })

  it.each(["", "LA", "LA-12-A03-BG", "LA-12 A03BG07", 7, null, undefined, ["LA-12-A03-BG-07"]])(
    "an invalid postcode is 400 and is not recorded: %j",
    async (postcode) => {
      const key = await publishable(world)
      const token = await world.operator.session(key)
      const isText = typeof postcode === "string" || postcode === undefined
      const message = isText ? "postcode: " : "postcode: expected string"
      expectFailure(await select(world, token, postcode), "400 invalid_parameter", message)
      expect(await selectionsOf(world, key)).toEqual([])
    }
  )

  it("is 503 with Retry-After if too many wait to be stored", async () => {
    const { client } = await world.serveAnother({}, (effect) =>
      Effect.flatMap(Selections, (selections) =>
        Effect.provideService(effect, Selections, {
          ...selections,
          record: () => Effect.fail(new Unavailable({ retry_after_s: 3 }))
        })
      )
    )
    const token = await world.operator.session(await publishable(world))
    const received = await client.post("/v1/widget/selected", { postcode: postcodes.full }, { token })
    expectFailure(received, "503 service_unavailable")
    expect(received.headers["retry-after"]).toBe("3")
  })
}
