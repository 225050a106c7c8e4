/** The service inside an app that knows nothing of Effect. */

import { weakSecrets } from "@postcode/conformance/devices"
import type { Postcode } from "@postcode/core/Postcode"
import { defaultPriceList, type PriceList } from "@postcode/core/Prices"
import { demoDirectory } from "@postcode/demo"
import { importForTests, makeTestDatabase, requirePostgres } from "@postcode/drills/postgres"
import { type CreateGatewayOptions, createGateway, type EmbeddedGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"
import { postgresStore } from "@postcode/postgres"
import { describe, expect, it } from "vitest"

const operatorToken = "an-operator-token-for-tests-alone"
const identifierPepper = "a-pepper-for-tests-that-is-long-enough"
const sessionKeys = "a-signing-key-for-tests-that-is-long-enough"
const demo = demoDirectory({ units: 2_000 })
const postcode = demo.directory.postcodeAt(0)
const lookup = `/v1/lookup?code=${postcode}`
const changes = "/v1/admin/directory/changes"
const retirement = { reason: "a survey", reference: "survey-1", changes: [{ change: "retire", postcode }] }

interface Request {
  readonly key?: string
  readonly body?: unknown
}

const request = async (gateway: EmbeddedGateway, path: string, { body, key }: Request = {}) => {
  const credential: Record<string, string> =
    key === undefined ? { authorization: `Bearer ${operatorToken}` } : { "x-api-key": key }
  const init =
    body === undefined
      ? { headers: credential }
      : {
          method: "POST",
          headers: { ...credential, "content-type": "application/json" },
          body: JSON.stringify(body)
        }
  const response = await gateway.fetch(new Request(`http://localhost${path}`, init))
  const { data } = (await response.json()) as { readonly data?: Record<string, string> }
  return { status: response.status, data }
}

const makeKey = async (gateway: EmbeddedGateway, kind: "publishable" | "secret", level: number): Promise<string> => {
  const organization = await request(gateway, "/v1/admin/organizations", { body: { name: "Shop" } })
  const { data } = await request(gateway, `/v1/admin/organizations/${organization.data?.id}/keys`, {
    body: { name: "a key", kind, environment: "test", scopes: ["lookup", "search"], max_level: level }
  })
  return data?.secret ?? ""
}

/** The lines after the first one of the error for invalid options; undefined if a gateway was opened. */
const faultsOf = async (given: unknown): Promise<ReadonlyArray<string> | undefined> => {
  try {
    await (await createGateway(given as CreateGatewayOptions)).close()
    return undefined
  } catch (error) {
    const [first, ...lines] = (error as Error).message.split("\n- ")
    expect(first).toBe("createGateway was called with invalid options:")
    return lines
  }
}

describe("createGateway", () => {
  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "postgresql://user:the-password@host/db"],
    ["a list", []]
  ])("refuses %s in place of its options", async (_, given) => {
    expect(await faultsOf(given)).toEqual([
      expect.stringMatching(/^expected an object with operatorToken and store, such as /)
    ])
  })

  const valid = { operatorToken, store: memoryStore(), directory: demo }

  it.each([
    ["directory", "an empty object", {}],
    ["directory", "a promise", Promise.resolve(demo)],
    ["directory", "a path", "./nigeria"],
    ["directory", "null", null],
    ["directory", "attributes that are no function", { directory: demo.directory, attributes: {} }],
    ["directory", "attributes alone", { directory: {}, attributes: () => ({}) }],
    ["identifierPepper", "a number", 5],
    ["identifierPepper", "an object", {}],
    ["identifierPepper", "a list of null", [null]],
    ["sessionKeys", "a number", 5],
    ["sessionKeys", "a list of numbers", [5]],
    ["prices", "a number", 5],
    ["prices", "an empty object", {}],
    ["prices", "null", null],
    ["buyCreditsUrl", "one without the organization", "https://pay.example/buy"],
    ["buyCreditsUrl", "null", null],
    ["host", "a misspelled one", "gatewya"],
    ["onAnswer", "a text", "log"]
  ])("a wrong kind of %s is named, and what is expected: %s", async (name, _, value) => {
    expect(await faultsOf({ ...valid, [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name}: .*expected `))
    ])
  })

  it("names every invalid option in one error, without a secret", async () => {
    const given = {
      operatorToken: weakSecrets["of 31 characters"] as string,
      store: postgresStore({ url: "mysql://user:the-password@host/db", maxConnections: 1 }),
      sessionKeys: [{ id: "no spaces", secret: sessionKeys }],
      identifierPepper: [{ version: 0, secret: identifierPepper }],
      publicOrigin: "postcode.example",
      keyRateLimit_per_minute: 0,
      trustedProxies: ["somewhere"],
      files: [{ path: "/../x", contentType: "text/html", content: "" }],
      prices: { lookup: { 1: 0, 2: -1, 3: 2, 4: 3, 5: 3 }, widget_session: 1, address_search: 1 },
      rateLimit: 5
    } as unknown as CreateGatewayOptions
    const error = await createGateway(given).then(
      () => undefined,
      (error: Error) => error
    )
    const [first, ...lines] = (error as Error).message.split("\n")
    expect(first).toBe("createGateway was called with invalid options:")
    const expected = [
      "rateLimit: unknown option",
      "operatorToken: expected 32 to 512",
      "publicOrigin: expected",
      "keyRateLimit_per_minute: expected",
      "store: url: expected",
      "store: maxConnections: expected",
      "identifierPepper: peppers: expected versions",
      "sessionKeys: session keys, 0: expected an id",
      "trustedProxies: ",
      "files, 0: expected a path",
      "prices: the price list, lookup[2]: expected"
    ]
    expect(lines).toEqual(expected.map((start) => expect.stringContaining(`- ${start}`)))
    for (const secret of [weakSecrets["of 31 characters"] as string, "the-password", sessionKeys, identifierPepper]) {
      expect((error as Error).message).not.toContain(secret)
    }
  })

  it("requires a directory with the memory store, and secrets with PostgreSQL", async () => {
    await expect(createGateway({ operatorToken, store: memoryStore() })).rejects.toThrow(/\n- directory: expected/)
    const store = postgresStore({ url: "postgresql://localhost/none" })
    await expect(createGateway({ operatorToken, store })).rejects.toThrow(
      /\n- identifierPepper: expected.*\n- sessionKeys: expected/
    )
    const nothing = {} as unknown as CreateGatewayOptions
    await expect(createGateway(nothing)).rejects.toThrow(/\n- operatorToken: .*\n- store: expected memoryStore\(\)/)
  })

  it("serves a directory from memory, with its prices, and starts widget sessions", async () => {
    const prices: PriceList = { ...defaultPriceList, widget_session: 7 }
    const gateway = await createGateway({ operatorToken, directory: demo, store: memoryStore(), prices })
    const key = await makeKey(gateway, "publishable", 1)
    expect(await request(gateway, lookup)).toMatchObject({ status: 200, data: { postcode, valid: true } })
    const session = await request(gateway, "/v1/widget/session", { key, body: {} })
    expect(session).toMatchObject({ status: 200, data: { token: expect.any(String) } })
    await gateway.close()
  })

  it("changes a directory in memory immediately, and lookups show the change", async () => {
    const gateway = await createGateway({ operatorToken, directory: demo, store: memoryStore() })
    expect(await request(gateway, changes, { body: retirement })).toMatchObject({ status: 200, data: { applied: 1 } })
    expect(await request(gateway, lookup)).toMatchObject({ data: { valid: false, status: "retired" } })
    expect(demo.directory.status(postcode)).toBe("active")
    await gateway.close()
  })

  it("reads a long body while another gateway of the process waits for all that it may read", async () => {
    const [busy, other] = await Promise.all(
      [1, 2].map(() => createGateway({ operatorToken, directory: demo, store: memoryStore() }))
    )
    const text = JSON.stringify(retirement)
    const bodies = Array.from({ length: 4 }, () => new TransformStream<Uint8Array, Uint8Array>())
    const writers = bodies.map(({ writable }) => writable.getWriter())
    const waiting = bodies.map(({ readable }) =>
      (busy as EmbeddedGateway).fetch(
        new Request(`http://localhost${changes}`, {
          method: "POST",
          headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
          body: readable,
          duplex: "half"
        } as RequestInit)
      )
    )
    // The stream passes nothing on before it is read.
    await Promise.all(writers.map((writer) => writer.write(Buffer.from(text.slice(0, 9)))))
    expect(await request(other as EmbeddedGateway, changes, { body: retirement })).toMatchObject({ status: 200 })
    for (const writer of writers) void writer.write(Buffer.from(text.slice(9))).then(() => writer.close())
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await Promise.all([busy?.close(), other?.close()])
  }, 20_000)

  it("serves a directory without attributes", async () => {
    const gateway = await createGateway({ operatorToken, directory: demo.directory, store: memoryStore() })
    expect(await request(gateway, lookup)).toMatchObject({ status: 200, data: { postcode, valid: true } })
    await gateway.close()
  })

  it("on PostgreSQL serves the directory of the database, or another one", async () => {
    requirePostgres()
    const database = await makeTestDatabase()
    const options = { operatorToken, identifierPepper, sessionKeys, store: postgresStore({ url: database.url }) }
    await expect(createGateway(options)).rejects.toThrow("the database holds no directory yet")
    const other = await createGateway({ ...options, directory: demo })
    expect(await request(other, lookup)).toMatchObject({ status: 200, data: { valid: true } })
    // Other processes on the database would not know.
    expect(await request(other, changes, { body: retirement })).toMatchObject({ status: 409 })
    const key = await makeKey(other, "publishable", 1)
    await other.close()
    const unit = { postcode: "LA-12-A03-BG-07" as Postcode, lat: 6.6, lon: 3.35, active: true, attributes: {} }
    await importForTests(database.url, { places: [], units: [unit] })
    const own = await createGateway(options)
    expect(await request(own, lookup)).toMatchObject({ status: 200, data: { valid: false } })
    expect(await request(own, `/v1/lookup?code=${unit.postcode}`, { key })).toMatchObject({ data: { valid: true } })
    const moved = { ...retirement, changes: [{ change: "move", postcode: unit.postcode, lat: 6.7, lng: 3.4 }] }
    expect(await request(own, changes, { body: moved })).toMatchObject({ status: 200, data: { applied: 1 } })
    await own.close()
    await database.drop()
  })
})
