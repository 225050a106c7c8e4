/** The first operator of several threads, of several replicas, and of a service that was killed. */
import { existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { makeFixtureDatabase } from "@postcode/drills/FixtureDatabase"
import { environmentOn, serveOnDatabase } from "@postcode/drills/Installation"
import { type Service, serveSmallDirectory, startService } from "@postcode/drills/StartCommand"
import { layerDatabase } from "@postcode/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { describe, expect, it } from "vitest"
import { accept, claimOf, cookieIn, expectOneWinner, expectRemoved, post } from "./OperatorClaim.ts"

describe("the link of a service with 2 threads", () => {
  it("is printed once, in a file that only its user can read; of two clients that use it one succeeds, and then it is invalid", async () => {
    await using service = await serveOnDatabase(["--workers", "2", "--access-log"])
    await expectOneWinner(service)
  })
})

describe("the file of a link", () => {
  it("is removed at the next start if its process was killed, and kept while its service runs", async () => {
    await using running = await serveSmallDirectory()
    const killed = await serveSmallDirectory()
    const { file } = claimOf(killed)
    await killed.stop("SIGKILL")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await using next = await serveSmallDirectory()
    expect(existsSync(dirname(file))).toBe(false)
    expect([running, next].map((service) => existsSync(claimOf(service).file))).toEqual([true, true])
  })

  it("is removed when the link expires, and the service goes on", async () => {
    const database = await makeFixtureDatabase()
    const service = await startService([], environmentOn(database.url))
    const { file } = claimOf(service)
    expect(existsSync(file)).toBe(true)
    const expire = Effect.flatMap(SqlClient, (sql) => sql`UPDATE postcode.invitations SET expires_at = now()`)
    await Effect.runPromise(Effect.provide(expire, layerDatabase({ url: Redacted.make(database.url) })))
    await expectRemoved(file)
    expect((await fetch(`${service.url}/v1/health/live`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
    await database.drop()
  })
})

describe("two replicas on one database", () => {
  it("are claimed once, with the link of either replica; sessions are valid on both, and later starts print no link", async () => {
    const database = await makeFixtureDatabase()
    const env = environmentOn(database.url)
    const [one, two] = (await Promise.all([startService([], env), startService([], env)])) as [Service, Service]
    const attempts = [one, two, one, two].map((service, i) =>
      accept(service, claimOf(i < 2 ? one : two), `person${i}@people.example`)
    )
    const answers = await Promise.all(attempts)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401])
    await Promise.all([one, two].map((service) => expectRemoved(claimOf(service).file)))
    const cookie = cookieIn(answers.find(({ ok }) => ok) as Response)
    for (const { url } of [one, two]) {
      expect((await fetch(`${url}/v1/admin/account`, { headers: { cookie } })).status).toBe(200)
    }
    expect((await post(one, "/sign-out", {}, cookie)).status).toBe(200)
    expect((await fetch(`${two.url}/v1/admin/account`, { headers: { cookie } })).status).toBe(401)
    // Nor do they look for a password that was needed once.
    const gone = { POSTCODE_ADMIN_EMAIL: "ada@people.example", POSTCODE_ADMIN_PASSWORD_FILE: "/nowhere/at/all" }
    const three = await startService([], { ...env, ...gone })
    expect(three.stderr()).not.toContain("#join=")
    await Promise.all([one, two, three].map((service) => service.stop()))
    await database.drop()
  })
})
