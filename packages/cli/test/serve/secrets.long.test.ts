/**
 * What the service is told and must not keep: keys, the operator's token, identification numbers and email addresses of
 * end users; passwords, also that of the mail server, and the tokens of sessions and invitations. What it must keep in
 * its place: emails of accounts, and those of open invitations.
 * They are sent wherever a client can send something. Then all that the database holds is searched for them: every row
 * of every table, the write-ahead log, in which there is also what was deleted since, and the server's own log.
 */
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  cookieOf,
  dataOf,
  fromOwnPage,
  operatorToken,
  postcodes,
  type TestKey,
  useWorld,
  type World
} from "@postcode/conformance/wire"
import { importFixture, layerStoreOn } from "@postcode/drills/FixtureDatabase"
import { mailCertificate, startMailServer } from "@postcode/drills/MailServer"
import { type PostgresServer, requirePostgres, startPostgres } from "@postcode/drills/postgres"
import { layerTestSecrets } from "@postcode/drills/TestSecrets"
import { composeKey } from "@postcode/gateway/keys/ApiKey"
import { Notices } from "@postcode/gateway/notices/Notices"
import { sendNotices } from "@postcode/gateway/notices/sendNotices"
import { layerMailTransport, readMailServer } from "@postcode/node/mail"
import { Effect, Layer, Redacted, Result } from "effect"
import { afterAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "postcode-secrets-"))
let started: PostgresServer | undefined

afterAll(async () => {
  await started?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

const settings = { fsync: "off", wal_compression: "off", logging_collector: "on", log_directory: "log" }

const store = Layer.unwrap(
  Effect.promise(async () => {
    started = await startPostgres({ folder, programs: requirePostgres(), settings })
    const url = started.url("postgres")
    await importFixture(url)
    return layerStoreOn(url)
  })
)

const people = [
  "48210957361",
  "Amaka.Obi+7@Example.ng",
  "amaka.obi+7@example.ng",
  "73519264080",
  "ngozi@adeyemi.example"
]
const unknownKey = composeKey("secret", "live", "q7Vd2MfZ0bXk9RtLw4HnYc3JpAs8GuEe")
const wrongToken = "another-operator-token-1a2b3c4d"

describe("the database", () => {
  const world = useWorld(() => Layer.provide(store, layerTestSecrets))

  it("contains no key, token, identification number or email address, in any encoding or as a hash without the pepper", async () => {
    const key = await world.operator.keyWithCredits(1_000)
    const revoked = await world.operator.key()
    const publishable = await world.operator.key({ kind: "publishable", origins: ["https://shop.example"] })
    await world.operator.revoke(revoked)
    const successor = await world.operator.rotate(await world.operator.key(), "1h")
    const keys = [key.secret, revoked.secret, publishable.secret, successor.secret, unknownKey]
    const secrets = [...keys, operatorToken, wrongToken, ...people]

    for (const secret of secrets) await sendEverywhere(world, key.secret, secret)
    await saveEndUsers(world)
    const sessions = await useWidget(world, publishable)
    secrets.push(...sessions, ...(await useWebhooks(world, key)), ...(await createProofKeys(world, key)))
    const accounts = await useAccounts(world)
    secrets.push(...accounts.secrets)
    secrets.push(...(await sendMail(world)))
    // Usage is written about once a second, and a last use a little later.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await expect.poll(async () => (await everythingHeld()).rows, { interval: 500 }).toMatch(/sel_[0-9A-Za-z]{20},/)

    const held = await everythingHeld()
    expect(held.rows).toContain("charge-of-a-marker")
    expect(held.rows).toContain("the login failed: the server answered 535")
    expect(held.wal).toContain("charge-of-a-marker")
    for (const [where, text] of Object.entries(held)) {
      expect(found(text, secrets.flatMap(encodingsOf)), where).toEqual([])
    }
    // An account's email is in the table of accounts, and neither in the audit log nor in the server's. It is in that of
    // invitations only while one is open: both accounts came by one, and the first has been invited again. The mail of
    // both invitations waits, with its address.
    const [invited = "", other = ""] = accounts.emails
    expect(tablesWith(held.rows, invited)).toEqual(["postcode.accounts", "postcode.invitations", "postcode.notices"])
    expect(tablesWith(held.rows, other)).toEqual(["postcode.accounts", "postcode.notices"])
    for (const email of accounts.emails) expect(held.log).not.toContain(email)
    // What is kept of the people on purpose: hashes under the pepper.
    expect(held.rows).toContain("widget_session.requested")
    expect(held.rows).toMatch(/sel_[0-9A-Za-z]{20},.*1:[0-9a-f]{64}/)
    // What is kept of a key on purpose: it has 190 bits, so its bare hash says nothing.
    for (const secret of keys.slice(0, -1)) expect(held.rows).toContain(sha256(secret))
    const guessable = [unknownKey, operatorToken, wrongToken, ...people, ...accounts.emails, ...accounts.passwords]
    for (const [where, text] of Object.entries(held)) {
      expect(found(text, guessable.flatMap(bareHashesOf)), `bare hashes, ${where}`).toEqual([])
    }
  })
})

/** Sends a text as, or in, everything that a request is made of. */
const sendEverywhere = async (world: World, key: string, text: string): Promise<void> => {
  const { client, operator } = world
  client.newVisitor()
  const lookup = `/v1/lookup?code=${postcodes.full}&level=2`
  const encoded = encodeURIComponent(text)
  const path = text.replace(/[^A-Za-z0-9_]/g, "_")
  await client.get(lookup, { key: text })
  await client.get(lookup, { token: text })
  // A token that is not the service's own looks like any id.
  if (text !== wrongToken) await client.get(lookup, { key, headers: { "x-request-id": text } })
  if (people.includes(text)) await client.get(lookup, { key, headers: { "x-request-id": `nin:${text}` } })
  await client.get(lookup, { key, headers: { "x-request-id": "charge-of-a-marker", "idempotency-key": text } })
  await client.get(lookup, { key, headers: { "idempotency-key": `order ${text}`, "user-agent": text, referer: text } })
  await client.get(lookup, { key, headers: { cookie: `a=${text}`, origin: text, "x-unknown": text } })
  await client.get(`${lookup}&api_key=${encoded}`, { key })
  await client.get(`/v1/lookup?code=${encoded}&level=2`, { key })
  await client.get(`/v1/search/autocomplete?q=${encoded}`, { key })
  await client.get(`/v1/${path}?${encoded}=${encoded}`, { key })
  // A batch answers each code beside its result, so here the client, which looks for keys in answers, is of no use.
  await fetch(`http://127.0.0.1:${client.port}/v1/lookup/batch`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json", "idempotency-key": `batch ${text}` },
    body: JSON.stringify({ level: 2, codes: [text, postcodes.full, `${text}, please`] })
  })
  for (const target of [
    `/v1/admin/audit?organization_id=${encoded}`,
    `/v1/admin/audit?cursor=${encoded}`,
    `/v1/admin/organizations/${path}`,
    `/v1/admin/organizations/${path}/usage`
  ]) {
    await operator.call("GET", target)
  }
  await operator.call("DELETE", `/v1/admin/keys/${path}`)
  await client.send({ method: "DELETE", target: `/v1/admin/keys/${path}`, token: text })
}

/** Where the operator writes texts that are kept, one with a key in it is refused. */
const saveEndUsers = async ({ operator }: World): Promise<void> => {
  const [nin, email, , otherNin, otherEmail] = people as [string, string, string, string, string]
  const bookmarks = [{ postcode: postcodes.full, label: "Home" }]
  const accounts = [[nin, email], [otherNin], [otherEmail], [email], [nin, otherNin], [`${nin}0`, "no address"]]
  for (const identifiers of accounts) await operator.call("PUT", "/v1/admin/end-users", { identifiers, bookmarks })
  // In a batch one that is malformed fails all, so there is one without, too.
  for (const some of [accounts, accounts.slice(0, 5)]) {
    const end_users = some.map((identifiers) => ({ identifiers, bookmarks }))
    await operator.call("PUT", "/v1/admin/end-users/batch", { end_users })
  }
  for (const identifier of [...people, `${nin}0`]) {
    const found = await operator.call("POST", "/v1/admin/end-users/find", { identifier })
    if (identifier !== email || found.status !== 200) continue
    await operator.call("DELETE", `/v1/admin/end-users/${dataOf<{ readonly id: string }>(found).id}`)
  }
  await operator.call("DELETE", `/v1/admin/end-users/${nin}`)
  const organization_id = await operator.organization()
  const organization = `/v1/admin/organizations/${organization_id}`
  const label = `Home ${unknownKey}`
  const refused = [
    ["POST", "/v1/admin/organizations", { name: unknownKey }],
    ["PATCH", organization, { name: `Parcels (${unknownKey})` }],
    ["PATCH", organization, { review_note: unknownKey }],
    ["POST", `${organization}/credits`, { amount: 1, environment: "test", reference: unknownKey }],
    ["POST", `${organization}/access-requests`, { level: 5, reason: `for ${unknownKey}` }],
    ["PUT", "/v1/admin/end-users", { identifiers: [nin], bookmarks: [{ postcode: postcodes.full, label }] }]
  ] as const
  for (const [method, target, body] of refused) {
    const received = await operator.call(method, target, body)
    expect(received.status, target).toBe(400)
    expect(received.text).toContain("without an API key")
  }
}

/** Secrets of a webhook, as they are given out, and without what all begin with. */
const useWebhooks = async ({ operator }: World, { organization_id }: TestKey): Promise<ReadonlyArray<string>> => {
  const webhooks = `/v1/admin/organizations/${organization_id}/webhooks`
  const made = await operator.call("POST", webhooks, { url: "https://shop.example/hooks" })
  const { id, secret } = dataOf<{ readonly id: string; readonly secret: string }>(made)
  const rotated = await operator.call("POST", `/v1/admin/webhooks/${id}/rotate-secret`)
  return [secret, dataOf<{ readonly secret: string }>(rotated).secret].flatMap((one) => [one, one.slice(6)])
}

/** The proof keys of an organization, as they are given out, and without what all begin with. */
const createProofKeys = async ({ operator }: World, { organization_id }: TestKey): Promise<ReadonlyArray<string>> => {
  const create = () => operator.call("POST", `/v1/admin/organizations/${organization_id}/widget/proof-key`)
  const made = [await create(), await create()].map((one) => dataOf<{ readonly secret: string }>(one).secret)
  return made.flatMap((one) => [one, one.slice("svc_proof_".length)])
}

/** Goes through the widget as each person, and answers the tokens of their sessions. */
const useWidget = async ({ client, operator }: World, key: TestKey): Promise<ReadonlyArray<string>> => {
  const tokens: Array<string> = []
  for (const person of people) {
    client.newVisitor()
    const headers = { origin: "https://shop.example", "idempotency-key": `session of ${person}`, referer: person }
    const started = await client.post("/v1/widget/session", { identifier: person }, { key: key.secret, headers })
    const { token } = dataOf<{ readonly token: string }>(started)
    const asked = { token, headers: { origin: "https://shop.example", cookie: `who=${person}` } }
    dataOf(await client.get("/v1/widget/bookmarks", asked))
    dataOf(await client.post("/v1/widget/selected", { postcode: postcodes.full }, asked))
    await client.post("/v1/widget/selected", { postcode: person }, asked)
    await client.post("/v1/widget/session", { identifier: `${person} ` }, { key: token })
    await client.post("/v1/widget/session", { identifier: token }, { key: key.secret })
    await client.get("/v1/widget/bookmarks", { token: person })
    await client.get("/v1/widget/bookmarks", { token: `${token.slice(0, -2)}AA` })
    // An id may be kept: a token is too long to be one, and so is whatever holds it.
    await client.get("/v1/widget/bookmarks", { token, headers: { "x-request-id": token } })
    await operator.call("GET", `/v1/admin/audit?cursor=${token.slice(0, 64)}`)
    tokens.push(token)
  }
  return tokens
}

/** Goes through the life of two accounts, and answers all that was secret in it. */
const useAccounts = async ({ client, operator }: World) => {
  client.newVisitor()
  const [owner, other] = [await operator.account("owner"), await operator.account("operator")]
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = fromOwnPage) =>
    client.post(`/v1/admin/account${path}`, body, { headers })
  const wrong = "a password that is wrong"
  const next = "a password that comes next"
  await post("/sign-in", { email: owner.email, password: wrong })
  await post("/sign-in", { email: wrong, password: owner.password })
  await post("/accept", { token: wrong, email: "new@people.example", name: "New", password: next })
  const { token } = await operator.invitation("operator", undefined, owner.email)
  await post("/accept", { token, name: "Twice", password: next })
  const again = await post("/sign-in", { email: owner.email, password: owner.password })
  const changed = await post("/password", { present_password: owner.password, password: next }, owner.headers)
  await post("/sign-in", { email: owner.email, password: token })
  await client.get(`/v1/admin/audit?cursor=${token}`, { headers: other.headers })
  await client.get(`/v1/admin/accounts/${token}`, { headers: other.headers })
  await operator.call("DELETE", `/v1/admin/invitations/${token}`)
  await post("/sign-out-everywhere", {}, other.headers)
  const cookies = [owner.headers.cookie, other.headers.cookie, cookieOf(again), cookieOf(changed)]
  const passwords = [owner.password, other.password, wrong, next]
  const sessions = cookies.map((cookie) => cookie?.split("=")[1] as string)
  return { emails: [owner.email, other.email], passwords, secrets: [...passwords, ...sessions, token] }
}

/** Sends the mail that waits, to a server that repeats the password which it refuses. Answers the user and the password. */
const sendMail = async (world: World): Promise<ReadonlyArray<string>> => {
  const login = { user: "postcode@mail.example", password: "zinc/roof:rain" }
  const server = await startMailServer({ login: { ...login, password: "another" } })
  const [user, password] = Object.values(login).map(encodeURIComponent)
  const address = readMailServer(Redacted.make(`smtp://${user}:${password}@localhost:${server.port}`))
  const from = { name: "Postcode Gateway", address: "postcode@gateway.example" }
  const transport = layerMailTransport({ from, server: Result.getOrThrow(address), ca: mailCertificate })
  const failed = Effect.gen(function* () {
    const { list } = yield* Notices
    const { items } = yield* list({}, { limit: 100, cursor: undefined })
    return items.length > 0 && items.every(({ fault }) => fault !== undefined)
  })
  const sending = Effect.andThen(
    sendNotices(Effect.succeed(0)),
    Effect.repeat(Effect.delay(failed, 250), { until: (isDone) => isDone })
  )
  await world.run(Effect.scoped(Effect.provide(sending, transport)))
  await server.close()
  return [...Object.values(login), password ?? ""]
}

/** The tables that hold a text, in a dump in which each begins with its name. */
const tablesWith = (rows: string, text: string): ReadonlyArray<string> => {
  const tables = new Set<string>()
  let table = ""
  for (const line of rows.split("\n")) {
    if (/^[\w.]+$/.test(line)) table = line
    else if (line.includes(text)) tables.add(table)
  }
  return [...tables]
}

/** Every row of every table, with what is sampled of them, then the write-ahead log and the server's log; as Latin-1. */
const everythingHeld = async () => ({
  rows: await dumpOf(started as PostgresServer),
  wal: readAll(join(folder, "data", "pg_wal")),
  log: readAll(join(folder, "data", "log"))
})

const dumpOf = async (server: PostgresServer): Promise<string> => {
  const client = await server.connect()
  try {
    await client.query("ANALYZE")
    const tables = await client.query<{ readonly name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'm') ORDER BY 1"
    )
    const rows: Array<string> = []
    for (const { name } of tables.rows) {
      const held = await client.query<{ readonly row: string }>(`SELECT t::text AS row FROM ${name} AS t`)
      rows.push(name, ...held.rows.map(({ row }) => row))
    }
    return Buffer.from(rows.join("\n")).toString("latin1")
  } finally {
    await client.end()
  }
}

const readAll = (path: string): string =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(path, entry.name), "latin1"))
    .join("\n")

/** A text as it may stand somewhere, also within an encoding of something longer. */
const encodingsOf = (secret: string): ReadonlyArray<string> =>
  [secret, secret.toLowerCase()].flatMap((text) => {
    const bytes = Buffer.from(text)
    // Where the text begins within a group of three bytes, base64 writes it in another way; the ends mix with others.
    const base64 = [0, 1, 2].map((offset) =>
      Buffer.concat([Buffer.alloc(offset), bytes])
        .toString("base64")
        .slice(4, -4)
    )
    const hex = bytes.toString("hex")
    const everyByte = hex.replace(/../g, "%$&")
    return [
      text,
      encodeURIComponent(text),
      ...base64,
      ...base64.map((encoded) => encoded.replaceAll("+", "-").replaceAll("/", "_")),
      ...[hex, everyByte].flatMap((encoded) => [encoded, encoded.toUpperCase()])
    ]
  })

const bareHashesOf = (secret: string): ReadonlyArray<string> =>
  [secret, secret.toLowerCase()].flatMap((text) => {
    const digest = createHash("sha256").update(text).digest()
    return [
      ...(["hex", "base64", "base64url", "latin1"] as const).map((encoding) => digest.toString(encoding)),
      digest.toString("hex").toUpperCase()
    ]
  })

const found = (text: string, needles: ReadonlyArray<string>): ReadonlyArray<string> =>
  needles.filter((needle) => text.includes(needle))

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
