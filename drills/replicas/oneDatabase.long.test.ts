/** `postcode serve --database-url`: replicas as real processes, which share everything and keep nothing. */

import { fixturePlaces, fixtureUnits, postcodes } from "@postcode/conformance/wire"
import { databaseName } from "@postcode/server/store/DatabaseName"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeFixtureDatabase } from "../kit/FixtureDatabase.ts"
import { environmentOn, fetchAgain, makeCustomer } from "../kit/Installation.ts"
import { manage } from "../kit/Management.ts"
import { importForTests, type TestDatabase } from "../kit/postgres/index.ts"
import { type Service, startService } from "../kit/StartCommand.ts"

const lookup = `/v1/lookup?code=${postcodes.full}&level=2`

let database: TestDatabase
let one: Service
let threads: Service

const startReplica = (...args: ReadonlyArray<string>) => startService(args, environmentOn(database.url))

beforeAll(async () => {
  database = await makeFixtureDatabase()
  ;[one, threads] = await Promise.all([startReplica(), startReplica("--workers", "2")])
})
afterAll(async () => {
  await Promise.all([one, threads].map((replica) => replica.stop("SIGKILL")))
  await database.drop()
})

/** Asks over a new connection, which goes to one of the workers. */
const ask = ({ url }: Service, path: string, secret: string): Promise<Response> =>
  fetchAgain(`${url}${path}`, { headers: { connection: "close", "x-api-key": secret } })

const askOften = (count: number, replica: Service, path: string, secret: string): Promise<ReadonlyArray<Response>> =>
  Promise.all(Array.from({ length: count }, () => ask(replica, path, secret)))

const usage = async ({ url }: Service, id: string): Promise<number> => {
  const path = `/organizations/${id}/usage?environment=live`
  const data = await manage<{ readonly usage: ReadonlyArray<{ readonly requests: number }> }>(url, "GET", path)
  return data.usage.reduce((sum, { requests }) => sum + requests, 0)
}

describe("replicas on one database", () => {
  it("print the database and the edition that they serve", () => {
    const where = databaseName(Redacted.make(database.url))
    for (const { stderr } of [one, threads]) {
      expect(stderr()).toContain(`PostgreSQL, ${where}`)
      expect(stderr()).toContain("edition 1 in the database: fixture-1")
      expect(stderr()).not.toContain("Demonstration")
    }
  })

  it("report since when their edition is current, the same time on all threads of all replicas", async () => {
    const replicas = [one, threads, threads, threads, threads]
    const described = await Promise.all(replicas.map(({ url }) => manage(url, "GET", "/directory")))
    expect(described[0]).toMatchObject({ version: "fixture-1", current_since: expect.stringMatching(/^20.*Z$/) })
    for (const other of described) expect(other).toEqual(described[0])
  })

  it("report that they are ready and connected to the database", async () => {
    for (const { url } of [one, threads]) {
      const ready = async () => (await fetch(`${url}/v1/health/ready`)).json()
      await expect.poll(ready).toMatchObject({ data: { status: "ready", database: "connected" } })
    }
  })

  it("share organizations, keys and credits in all threads of all replicas", async () => {
    const { id, secret } = await makeCustomer(one, 40)
    const answers = [...(await askOften(30, threads, lookup, secret)), ...(await askOften(30, one, lookup, secret))]
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(20)
    const path = `/organizations/${id}/credits?environment=live`
    expect(await manage(threads.url, "GET", path)).toMatchObject({ balance: 0 })
  })

  it("store their counts of usage when they stop", async () => {
    const { id, secret } = await makeCustomer(one, 1_000)
    const replica = await startReplica("--workers", "2")
    await askOften(25, replica, lookup, secret)
    await askOften(25, replica, "/v1/search/autocomplete?q=LA", secret)
    expect(await replica.stop()).toBe(0)
    expect(await usage(one, id)).toBe(50)
    const { keys } = await manage<{ readonly keys: ReadonlyArray<object> }>(one.url, "GET", `/organizations/${id}/keys`)
    expect(keys).toMatchObject([{ last_used_at: expect.stringMatching(/^20/) }])
  })

  it("load a new edition in every thread, and answer from the old or the new one meanwhile", async () => {
    const { secret } = await makeCustomer(one, 100_000)
    const [changed, ...others] = fixtureUnits
    const attributes = { ...changed?.attributes, recent_address: "8 Allen Avenue" }
    const units = [{ ...(changed as (typeof fixtureUnits)[number]), attributes }, ...others]
    const isNew = (response: Response) => response.headers.get("x-data-version") === "fixture-2"
    const seen = new Set<string>()
    /** Sends requests to all threads, and returns whether each answer is from the new edition. */
    const ask = async (): Promise<ReadonlyArray<boolean>> => {
      const answers = [...(await askOften(8, one, lookup, secret)), ...(await askOften(16, threads, lookup, secret))]
      for (const answer of answers) {
        const { data } = (await answer.json()) as { readonly data: { readonly recent_house_address: object } }
        seen.add(
          `${answer.status} ${answer.headers.get("x-data-version")} ${JSON.stringify(data.recent_house_address)}`
        )
      }
      return answers.map(isNew)
    }
    // An import is quick enough to be over before the first answer.
    expect(await ask()).not.toContain(true)
    let importing = true
    const imported = importForTests(database.url, {
      places: fixturePlaces,
      units,
      version: "fixture-2"
    }).finally(() => {
      importing = false
    })
    while (importing || (await ask()).includes(false)) await ask()
    await imported
    expect([...seen].sort()).toEqual([
      '200 fixture-1 {"recent":"7 Allen Avenue"}',
      '200 fixture-2 {"recent":"8 Allen Avenue"}'
    ])
  })
})
