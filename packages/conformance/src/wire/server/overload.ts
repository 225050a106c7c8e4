/** Refusals by load control: they are cheap, follow the conventions, and affect only requests above the capacity. */
import { once } from "node:events"
import { connect } from "node:net"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { LoadControl, type QueueName, type QueueSettings, serve } from "@postcode/http"
import { Deferred, Effect, Exit, Scope } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestAccount } from "../../world/Operator.ts"
import { operatorToken } from "../../world/OperatorToken.ts"
import { json, type TestClient, url } from "../../world/TestClient.ts"
import type { Served, World } from "../../world/World.ts"
import { halfSent } from "../HalfSent.ts"
import { dataOf, expectFailure, outcomeOf } from "../Received.ts"

const queueOf = (limit: number, timeout_ms: number): QueueSettings => ({
  limit,
  target_ms: 1_000,
  timeout_ms
})

/** Refuses every request: nothing may be in flight or wait. */
const closed = queueOf(0, 0)

const serveWithout = (world: World, ...queues: ReadonlyArray<QueueName>): Promise<Served> =>
  world.serveAnother({
    loadControl: new LoadControl(undefined, Object.fromEntries(queues.map((name) => [name, closed])))
  })

const refusal = "503 service_unavailable"
const lookup = (level: number) => url("/v1/lookup", { code: postcodes.full, level })

export const overload = (world: World): void => {
  describe("an overloaded service", () => {
    it("answers 503 with Retry-After, and reports how many requests each queue refused", async () => {
      const { client, gateway } = await serveWithout(world, "free", "paid", "management", "sign_in")
      for (const target of ["/v1/search/autocomplete?q=LA", lookup(2), "/v1/admin/audit", "/v1/docs", "/v1/nothing"]) {
        const received = await client.get(target)
        expectFailure(received, refusal)
        expect(received.headers["retry-after"]).toMatch(/^[123]$/)
      }
      expectFailure(await client.post("/v1/admin/account/sign-in", {}), refusal)
      const refused = Object.entries(gateway.load() ?? {}).map(([name, queue]) => [name, queue.refused.late])
      expect(Object.fromEntries(refused)).toEqual({ free: 3, paid: 1, management: 1, sign_in: 1 })
    })

    it("refuses before it checks the key, and counts against no rate limit", async () => {
      const { client } = await serveWithout(world, "free")
      const { secret } = await world.operator.key({ rate_limit_per_minute: 1 })
      for (const key of [secret, secret, "bad"]) {
        expectFailure(await client.get("/v1/search/autocomplete", { key }), refusal)
      }
      expect((await world.client.get("/v1/search/autocomplete", { key: secret })).status).toBe(200)
    })

    it("still reports that it is live and ready", async () => {
      const { client } = await serveWithout(world, "free", "paid", "management", "sign_in")
      for (const target of ["/v1/health/live", "/v1/health/ready"]) expect((await client.get(target)).status).toBe(200)
    })

    it("closes connections above the maximum, and accepts new ones once there is capacity", async () => {
      let refused = 0
      const scope = Scope.makeUnsafe()
      const { gateway } = await world.serveAnother()
      const onConnectionRefused = () => refused++
      const listening = serve(gateway, { port: 0, host: "127.0.0.1", maxConnections: 1, onConnectionRefused })
      const { port } = await world.run(Effect.provideService(listening, Scope.Scope, scope))
      const kept = connect(port, "127.0.0.1")
      await once(kept, "connect")
      await once(connect(port, "127.0.0.1").resume(), "close")
      expect(refused).toBe(1)
      kept.destroy()
      await expect.poll(() => fetch(`http://127.0.0.1:${port}/v1/health/live`).then(({ status }) => status)).toBe(200)
      await world.run(Scope.close(scope, Exit.void))
    })

    paidQueue(world)
    idempotency(world)
    slowBody(world)
    slowCalls(world)
  })
}

const paidQueue = (world: World): void => {
  it("refuses requests that may be charged, in any notation, and answers free ones", async () => {
    const { client } = await serveWithout(world, "paid")
    const { secret: key } = await world.operator.key()
    const code = url("/v1/lookup", { code: postcodes.full })
    const free = ["", "&level=1", "&level=", "&level=01", "&l%65vel=%31", "&other=level"].map(
      (more) => `${code}${more}`
    )
    for (const target of [...free, "/v1/search/autocomplete?q=LA%2012"]) {
      expect((await client.get(target, { key })).status, target).toBe(200)
    }
    for (const level of ["level=2", "l%65vel=2", "level=%32", "level=02", "level=5&other=1"]) {
      expect(outcomeOf(await client.get(`${code}&${level}`, { key })), level).toBe(refusal)
    }
    for (const wrong of ["level=1&level=2", "level=6", "level=%zz"]) {
      expect(outcomeOf(await client.get(`${code}&${wrong}`, { key })), wrong).toBe("400 invalid_parameter")
    }
    expect(outcomeOf(await client.get(code, { key, headers: { "idempotency-key": "a" } }))).toBe(refusal)
    expect(outcomeOf(await client.post("/v1/lookup/batch", { level: 1, codes: [postcodes.full] }))).toBe(refusal)
  })
}

const idempotency = (world: World): void => {
  it("stores nothing of a refused request: repeated with the same Idempotency-Key, it is served and charged once", async () => {
    const { client } = await serveWithout(world, "paid")
    const { organization_id, secret: key } = await world.operator.keyWithCredits(5)
    const options = { key, headers: { "idempotency-key": "again" } }
    expectFailure(await client.get(lookup(2), options), refusal)
    expect((await world.client.get(lookup(2), options)).status).toBe(200)
    expect((await world.operator.statement(organization_id, "live")).balance).toBe(4)
  })
}

const slowBody = (world: World): void => {
  it("keeps slow bodies outside the concurrency limit", async () => {
    const { client } = await world.serveAnother({
      loadControl: new LoadControl(undefined, { paid: queueOf(1, 10_000) })
    })
    const { secret: key } = await world.operator.key()
    const body = JSON.stringify({ level: 2, codes: [postcodes.full] })
    const slow = await halfSent(client.port, "/v1/lookup/batch", body, { "x-api-key": key })
    expect((await client.get(lookup(2), { key })).status).toBe(200)
    slow.finish()
    expect((await slow.answer).status).toBe(200)
    const { results } = dataOf<{ readonly results: ReadonlyArray<unknown> }>(
      await client.send({ method: "POST", target: "/v1/lookup/batch", key, ...json({ codes: [postcodes.full] }) })
    )
    expect(results).toHaveLength(1)
  })
}

const slowCalls = (world: World): void => {
  /** A service whose audit log answers only after a signal of the test. */
  const withSlowAudit = async (loadControl = new LoadControl()) => {
    const resumeAudit = Deferred.makeUnsafe<void>()
    const { client } = await world.serveAnother({ loadControl }, (effect) =>
      Effect.flatMap(AuditLog, (log) => {
        const list: (typeof log)["list"] = (filter, page) =>
          Effect.andThen(Deferred.await(resumeAudit), log.list(filter, page))
        return Effect.provideService(effect, AuditLog, { ...log, list })
      })
    )
    return { client, resumeAudit: () => world.run(Deferred.succeed(resumeAudit, undefined)) }
  }
  const operatorHeaders = { authorization: `Bearer ${operatorToken}` }
  const audit = (client: TestClient, { headers }: TestAccount) => client.get("/v1/admin/audit", { headers })
  const organizations = "/v1/admin/organizations"

  it("limits an account to 10 management requests in flight, so that its slow calls do not block operators", async () => {
    const { client, resumeAudit } = await withSlowAudit()
    const [owner, operator] = [await world.operator.account("owner"), await world.operator.account("operator")]
    const answers = Array.from({ length: 20 }, () => audit(client, owner))
    for (const headers of [operatorHeaders, operator.headers]) {
      expect((await client.get(organizations, { headers })).status).toBe(200)
    }
    await resumeAudit()
    expect((await Promise.all(answers)).map(outcomeOf)).toEqual(Array(20).fill("200"))
    expect((await audit(client, owner)).status).toBe(200)
  })

  it("limits the accounts of one organization to 12 in total, however many its owner invites", async () => {
    const { client, resumeAudit } = await withSlowAudit()
    const members = await ownersOfOne()
    const answers = members.flatMap((member) => Array.from({ length: 5 }, () => audit(client, member)))
    expect((await client.get(organizations, { headers: operatorHeaders })).status).toBe(200)
    await resumeAudit()
    expect((await Promise.all(answers)).map(outcomeOf)).toEqual(Array(20).fill("200"))
  })

  it("refuses a request that waits too long for other requests of its account or organization", async () => {
    const loadControl = new LoadControl(undefined, { management: queueOf(16, 500) })
    const { client, resumeAudit } = await withSlowAudit(loadControl)
    const alone = await world.operator.account("owner")
    const ofOne = Array.from({ length: 11 }, () => audit(client, alone))
    const refused = await Promise.race(ofOne)
    expectFailure(refused, refusal)
    expect(refused.headers["retry-after"]).toBe("1")
    await resumeAudit()
    const ended = (await Promise.all(ofOne)).map(outcomeOf).toSorted()
    expect(ended).toEqual([...Array(10).fill("200"), refusal])
    const second = await withSlowAudit(new LoadControl(undefined, { management: queueOf(16, 500) }))
    const members = await ownersOfOne()
    const ofAll = members.flatMap((member) => Array.from({ length: 4 }, () => audit(second.client, member)))
    const answered: Array<string> = []
    for (const answer of ofAll) answer.then((received) => answered.push(outcomeOf(received)))
    await expect.poll(() => answered).toEqual(Array(4).fill(refusal))
    await second.resumeAudit()
    expect((await Promise.all(ofAll)).map(outcomeOf).toSorted()).toEqual([
      ...Array(12).fill("200"),
      ...Array(4).fill(refusal)
    ])
  })

  const ownersOfOne = async (): Promise<ReadonlyArray<TestAccount>> => {
    const organization_id = await world.operator.organization()
    const owners: Array<TestAccount> = []
    for (let i = 0; i < 4; i++) owners.push(await world.operator.account("owner", organization_id))
    return owners
  }
}
