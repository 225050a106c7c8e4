/** Replicas on a PostgreSQL that is stopped and started, and on a directory of files. */
import { operatorToken, postcodes } from "@postcode/conformance/wire"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fetchAgain, type Installation, makeCustomer, makeInstallation } from "../kit/Installation.ts"
import { ended, type Service, start } from "../kit/StartCommand.ts"
import { smallDirectory, temporaryFolder, writeFiles } from "../kit/TemporaryFolder.ts"

const lookup = `/v1/lookup?code=${postcodes.full}&level=2`

let installation: Installation
let one: Service

beforeAll(async () => {
  installation = await makeInstallation()
  one = await installation.startReplica()
})
afterAll(() => installation[Symbol.asyncDispose]())

/** Asks over a new connection, which goes to one of the workers. */
const ask = ({ url }: Service, path: string, secret: string): Promise<Response> =>
  fetchAgain(`${url}${path}`, { headers: { connection: "close", "x-api-key": secret } })

describe("a directory of files on a database", () => {
  it("is served instead of the directory in the database, with the attributes from the files", async () => {
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

  it("cannot be changed, because other replicas would not get the change", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    for (const workers of ["1", "2"]) {
      const replica = await installation.startReplica("--directory", folder.path, "--workers", workers)
      const refused = await changeAt(replica)
      expect(refused.status).toBe(409)
      expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining("it comes from files") } })
      const { status } = await unitAt(replica)
      expect(status).toBe(200)
      expect(await replica.stop()).toBe(0)
    }
    expect((await changeAt(one)).status).toBe(200)
  })
})

const operator = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json", connection: "close" }

const changeAt = ({ url }: Service): Promise<Response> =>
  fetch(`${url}/v1/admin/directory/changes`, {
    method: "POST",
    headers: operator,
    body: JSON.stringify({
      reason: "a survey",
      reference: "survey-1",
      changes: [{ change: "set", postcode: postcodes.full, attributes: { building_type: "hut" } }]
    })
  })

const unitAt = ({ url }: Service): Promise<Response> =>
  fetch(`${url}/v1/admin/directory/units/${postcodes.full}`, { headers: operator })

describe("the start", () => {
  it("waits for a database that is not available yet, and does not show its password", async () => {
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

describe("a stop while the database is down", () => {
  it("ends in time, and reports what was not stored", async () => {
    const replica = await installation.startReplica()
    const { secret } = await makeCustomer(replica, 10)
    const search = "/v1/search/autocomplete?q=LA"
    expect((await ask(replica, search, secret)).status).toBe(200)
    await installation.server.stop()
    expect((await ask(replica, search, secret)).status).toBe(200)
    const since_ms = performance.now()
    expect(await replica.stop()).toBe(0)
    // Before its supervisor kills it: Compose does after 50 s. A busy machine adds to the ten that it takes.
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
