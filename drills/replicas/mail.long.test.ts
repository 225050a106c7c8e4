/** 10,000 notices while replicas are killed and the mail server is down: each is mailed, and twice only after a kill. */

import { Client } from "pg"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { makeFixtureDatabase } from "../kit/FixtureDatabase.ts"
import { environmentOn } from "../kit/Installation.ts"
import { startMailServer, type TestMailServer } from "../kit/MailServer.ts"
import type { TestDatabase } from "../kit/postgres/index.ts"
import { Replica } from "../kit/Replica.ts"

const notices = 10_000
const kills = 4

let database: TestDatabase
let client: Client
let server: TestMailServer
let replicas: ReadonlyArray<Replica>
const arrived: Array<string> = []

const start = async (port = 0): Promise<TestMailServer> =>
  startMailServer({
    tls: "none",
    port,
    onContent: ({ headers }) => {
      arrived.push(headers["message-id"] ?? "")
      return undefined
    }
  })

beforeAll(async () => {
  database = await makeFixtureDatabase()
  client = new Client({ connectionString: database.url })
  await client.connect()
  server = await start()
  const environment = {
    ...environmentOn(database.url),
    POSTCODE_SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=off`,
    POSTCODE_MAIL_FROM: "postcode@gateway.example",
    POSTCODE_PUBLIC_URL: "https://postcode.example",
    POSTCODE_MAIL_PER_DAY: "100000"
  }
  replicas = await Promise.all([Replica.start(environment), Replica.start(environment)])
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()))
  await client.end()
  await server.close()
  await database.drop()
})

const count = async (condition: string): Promise<number> => {
  const { rows } = await client.query(`SELECT count(*)::int AS count FROM postcode.notices WHERE ${condition}`)
  return rows[0].count
}

it("10,000 notices are sent once each, or twice after a kill, and none is lost", async () => {
  await client.query(`INSERT INTO postcode.notices (id, kind, class, email, facts, created_at, first_due_at, due_at)
    SELECT 'ntc_' || n, 'password_changed', 'safety', 'p' || n || '@people.example', '{"how":"reset"}', now(), now(), now()
    FROM generate_series(1, ${notices}) n`)
  const sent = () => new Set(arrived).size
  for (let kill = 1; kill <= kills; kill++) {
    await vi.waitFor(() => expect(sent()).toBeGreaterThan((notices * kill) / (kills + 2)), waiting)
    await Promise.all(replicas.map((replica) => replica.kill()))
    await Promise.all(replicas.map((replica) => replica.run()))
  }
  const { port } = server
  await server.close()
  await vi.waitFor(
    async () => expect(await count("attempts > 0 AND fault LIKE '%refused%'")).toBeGreaterThan(50),
    waiting
  )
  server = await start(port)
  await vi.waitFor(
    async () => {
      // What the pauses between attempts would do.
      await client.query("UPDATE postcode.notices SET due_at = now() WHERE due_at > now()")
      expect(await count("status <> 'sent'")).toBe(0)
    },
    { ...waiting, interval: 5_000 }
  )
  const repeated = arrived.length - sent()
  expect(sent()).toBe(notices)
  // One process sends, and has at most four mails on the way when it is killed.
  expect(repeated).toBeLessThanOrEqual(4 * kills)
  for (const id of new Set(arrived)) expect(id).toMatch(/^<ntc_\d+@gateway\.example>$/)
}, 3_600_000)

const waiting = { timeout: 1_800_000, interval: 200 }
