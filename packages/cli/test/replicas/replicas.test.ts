/** `postcode serve --database-url`: replicas as real processes, which share everything and keep nothing. */
import { fixturePlaces, fixtureUnits, operatorToken, postcodes } from "@postcode/http/testing"
import { importForTests, makeTestDatabase } from "@postcode/postgres/testing"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { databaseName } from "../../src/serve/DatabaseName.ts"
import { manage } from "../Management.ts"
import { run } from "../RunCommand.ts"
import { ended, type Service, start } from "../StartCommand.ts"
import { smallDirectory, temporaryFolder, writeFiles } from "../TemporaryFolder.ts"
import { fetchAgain, type Installation, makeCustomer, makeInstallation } from "./Installation.ts"

const lookup = `/v1/lookup?code=${postcodes.full}&level=2`

let installation: Installation
let one: Service
let threads: Service

beforeAll(async () => {
  installation = await makeInstallation()
  one = await installation.startReplica()
  threads = await installation.startReplica("--workers", "2")
})
afterAll(() => installation[Symbol.asyncDispose]())

/** Asks over a new connection, which the system gives to one of the threads. */
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
  it("say where everything is stored, and which edition they serve", () => {
    const where = databaseName(Redacted.make(installation.env.DATABASE_URL as string))
    for (const { stderr } of [one, threads]) {
      expect(stderr()).toContain(`PostgreSQL, ${where}`)
      expect(stderr()).toContain("edition 1 in the database: fixture-1")
      expect(stderr()).not.toContain("Demonstration")
    }
  })

  it("say of their edition since when it is in force, all threads of all the same", async () => {
    const replicas = [one, threads, threads, threads, threads]
    const described = await Promise.all(replicas.map(({ url }) => manage(url, "GET", "/directory")))
    expect(described[0]).toMatchObject({ version: "fixture-1", in_force_since: expect.stringMatching(/^20.*Z$/) })
    for (const other of described) expect(other).toEqual(described[0])
  })

  it("say that they are ready, and that the database is within reach", async () => {
    for (const { url } of [one, threads]) {
      const ready = async () => (await fetch(`${url}/v1/health/ready`)).json()
      await expect.poll(ready).toMatchObject({ data: { status: "ready", database: "connected" } })
    }
  })

  it("are one service: an organization, its key and its credits are the same for all threads of all", async () => {
    const { id, secret } = await makeCustomer(one, 40)
    const answers = [...(await askOften(30, threads, lookup, secret)), ...(await askOften(30, one, lookup, secret))]
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(20)
    const path = `/organizations/${id}/credits?environment=live`
    expect(await manage(threads.url, "GET", path)).toMatchObject({ balance: 0 })
  })

  it("keep what they counted when they are stopped", async () => {
    const { id, secret } = await makeCustomer(one, 1_000)
    const replica = await installation.startReplica("--workers", "2")
    await askOften(25, replica, lookup, secret)
    await askOften(25, replica, "/v1/search/autocomplete?q=LA", secret)
    expect(await replica.stop()).toBe(0)
    expect(await usage(one, id)).toBe(50)
    const { keys } = await manage<{ readonly keys: ReadonlyArray<object> }>(one.url, "GET", `/organizations/${id}/keys`)
    expect(keys).toMatchObject([{ last_used_at: expect.stringMatching(/^20/) }])
  })

  it("take up a new edition in every thread, and answer all the while from the old one or the new", async () => {
    const { secret } = await makeCustomer(one, 100_000)
    const [changed, ...others] = fixtureUnits
    const attributes = { ...changed?.attributes, recent_address: "8 Allen Avenue" }
    const units = [{ ...(changed as (typeof fixtureUnits)[number]), attributes }, ...others]
    const isNew = (response: Response) => response.headers.get("x-data-version") === "fixture-2"
    let importing = true
    const imported = importForTests(installation.env.DATABASE_URL as string, {
      places: fixturePlaces,
      units,
      version: "fixture-2"
    }).finally(() => {
      importing = false
    })
    const seen = new Set<string>()
    let news: ReadonlyArray<boolean> = []
    while (importing || news.includes(false)) {
      const answers = [...(await askOften(8, one, lookup, secret)), ...(await askOften(16, threads, lookup, secret))]
      for (const answer of answers) {
        const { data } = (await answer.json()) as { readonly data: { readonly recent_house_address: object } }
        seen.add(
          `${answer.status} ${answer.headers.get("x-data-version")} ${JSON.stringify(data.recent_house_address)}`
        )
      }
      news = answers.map(isNew)
    }
    await imported
    expect([...seen].sort()).toEqual([
      '200 fixture-1 {"recent":"7 Allen Avenue"}',
      '200 fixture-2 {"recent":"8 Allen Avenue"}'
    ])
  })
})

describe("a directory of files on a database", () => {
  it("is served in place of the database's, with what the files say of its units", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    const { secret } = await makeCustomer(one, 100)
    for (const workers of ["1", "2"]) {
      const replica = await installation.startReplica("--directory", folder.path, "--workers", workers)
      const answer = await ask(replica, lookup, secret)
      expect(await answer.json()).toMatchObject({ data: { recent_house_address: { recent: "1 Bank Road, Alausa" } } })
      expect(await replica.stop()).toBe(0)
    }
  })
})

describe("the start", () => {
  const url = "postgresql://postcode:a-password@127.0.0.1:1/postcode"

  it("is refused without the secrets that all replicas share", async () => {
    const { code, stderr } = await run(["serve"], { env: { DATABASE_URL: url } })
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^error: POSTCODE_OPERATOR_TOKEN, POSTCODE_IDENTIFIER_PEPPER and POSTCODE_SESSION_KEYS: needed with a database/
    )
    const env = { DATABASE_URL: url, POSTCODE_OPERATOR_TOKEN: operatorToken }
    expect((await run(["serve"], { env })).stderr).toMatch(
      /^error: POSTCODE_IDENTIFIER_PEPPER and POSTCODE_SESSION_KEYS: needed/
    )
  })

  it.each(["mysql://u:a-password@host/name", "postgresql://u:a-password@host", "a-password"])(
    "is refused with an address that is none, which is not repeated: %s",
    async (wrong) => {
      const { code, stderr } = await run(["serve", "--database-url", wrong])
      expect(code).toBe(2)
      expect(stderr).toContain("--database-url: expected the address of a PostgreSQL database")
      expect(stderr).not.toContain("a-password")
    }
  )

  it("says how to import where there is no directory, and what is wrong where there is no such database", async () => {
    const { drop, url } = await makeTestDatabase()
    const empty = await run(["serve"], { env: { ...installation.env, DATABASE_URL: url } })
    expect(empty.code).toBe(1)
    expect(empty.stderr).toMatch(
      /^error: the database holds no directory yet: .*postcode import PATH.*--directory PATH$/m
    )
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    const first = ["import", folder.path, "--if-empty", "--json", "--database-url", url]
    expect(JSON.parse((await run(first)).stdout)).toMatchObject({ outcome: "imported", edition: 1 })
    await writeFiles(folder.path, { "places.csv": "code,name,zone\nLA,Lagos,South West\n" })
    expect(JSON.parse((await run(first)).stdout)).toMatchObject({ outcome: "unchanged", edition: 1 })
    await drop()
    const missing = await run(["serve"], { env: { ...installation.env, DATABASE_URL: url } })
    expect(missing.code).toBe(1)
    expect(missing.stderr).toMatch(
      /^error: the database 127\.0\.0\.1:\d+\/test_\w+ cannot be used: .* does not exist$/m
    )
  })

  it("waits for a database that is not there yet, without a word of its password", async () => {
    const address = new URL(installation.env.DATABASE_URL as string)
    address.password = "a-password"
    await installation.server.stop()
    const child = start(["serve", "--port", "0"], { env: { ...installation.env, DATABASE_URL: address.href } })
    const heard = hearing(child)
    await expect.poll(heard).toContain(`waiting for the database ${address.host}/postgres: `)
    await installation.server.start()
    await expect.poll(heard).toMatch(/^ready /m)
    child.kill("SIGTERM")
    expect((await ended(child)).code).toBe(0)
    expect(heard()).not.toContain("a-password")
  })
})

describe("a stop while the database is away", () => {
  it("ends in time, and says what was not stored", async () => {
    const replica = await installation.startReplica()
    const { secret } = await makeCustomer(replica, 10)
    const search = "/v1/search/autocomplete?q=LA"
    expect((await ask(replica, search, secret)).status).toBe(200)
    await installation.server.stop()
    expect((await ask(replica, search, secret)).status).toBe(200)
    const since_ms = performance.now()
    expect(await replica.stop()).toBe(0)
    // Before whoever told it to stop kills it: Compose after 50 s. A busy machine adds to the ten that it takes.
    expect(performance.now() - since_ms).toBeLessThan(30_000)
    expect(replica.stderr()).toMatch(/"level":"error","message":"\d+ usage .* were not stored/)
    await installation.server.start()
  })
})

/** All that a process has written to standard error so far. */
const hearing = (child: ReturnType<typeof start>): (() => string) => {
  let heard = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    heard += text
  })
  return () => heard
}
