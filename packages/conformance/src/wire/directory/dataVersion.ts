/** Every answer from the directory names its version in headers; other answers do not. */
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { Postcode } from "@postcode/core/Postcode"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { Units } from "@postcode/gateway/directory/Units"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { fixtureEdition, postcodes } from "../../world/FixtureDirectory.ts"
import { url } from "../../world/TestClient.ts"
import type { Served, World } from "../../world/World.ts"
import { endpointOf, endpoints, type Operation } from "../Contract.ts"
import { dataOf, jsonOf, outcomeOf, type Received } from "../Received.ts"
import { makeScene, sampleMessage } from "../Samples.ts"

const version = "x-data-version"
const date = "x-data-date"

const operations: ReadonlyArray<Operation> = [
  "lookup.single",
  "lookup.batch",
  "search.autocomplete",
  "search.reverse",
  "search.nearby",
  "search.address",
  "search.reverseBatch",
  "search.addressBatch",
  "widget.address",
  "widget.lookup",
  "widget.reverse",
  "widget.nearby",
  "reference.states",
  "reference.lgas",
  "reference.districts",
  "reference.areas"
]

export const dataVersion = (world: World): void => {
  describe("X-Data-Version and X-Data-Date", () => {
    presence(world)
    absence(world)
    description(world)
    values(world)
  })
  describe("a directory that changes", () => changing(world))
  describe("GET /v1/health/ready", () => readiness(world))
}

const presence = (world: World): void => {
  it.each(operations)("%s returns the version and the date of the data", async (operation) => {
    const received = await world.client.send(sampleMessage(operation, await makeScene(world.operator)))
    expect(received.headers).toMatchObject({ [version]: fixtureEdition.version, [date]: fixtureEdition.date })
  })

  const free = operations.filter(
    (operation) => endpointOf(operation).method === "GET" && !endpointOf(operation).metered
  )
  it.each(free)("HEAD of %s returns the same headers", async (operation) => {
    const message = sampleMessage(operation, await makeScene(world.operator))
    const { headers } = await world.client.send({ ...message, method: "HEAD" })
    expect(headers).toMatchObject({ [version]: fixtureEdition.version, [date]: fixtureEdition.date })
  })

  it("an answer without a result also has the headers", async () => {
    const key = (await world.operator.key()).secret
    const targets = [
      url("/v1/lookup", { code: postcodes.unknown }),
      url("/v1/lookup", { code: postcodes.retired, level: 4 }),
      url("/v1/search/autocomplete", { q: "QQ" }),
      url("/v1/search/reverse", { lat: 0, lng: 0 }),
      url("/v1/search/nearby", { lat: 0, lng: 0 })
    ]
    for (const target of targets) {
      const received = await world.client.get(target, { key })
      expect([received.status, received.headers[version]], target).toEqual([200, fixtureEdition.version])
    }
  })
}

const absence = (world: World): void => {
  it("are on no other answer", async () => {
    const others = endpoints.filter(({ operation }) => !operations.includes(operation))
    expect(others.length).toBeGreaterThan(15)
    const scene = await makeScene(world.operator)
    for (const { operation } of others) expectNone(await world.client.send(sampleMessage(operation, scene)))
    expectNone(await world.client.get("/v1/openapi.json"))
    expectNone(await world.client.send({ method: "OPTIONS", target: "/v1/lookup" }))
  })

  it("are on no failure", async () => {
    const poor = (await world.operator.keyWithCredits(0)).secret
    const failures: ReadonlyArray<readonly [string, string, string?]> = [
      ["400", "/v1/lookup?code=x"],
      ["400", url("/v1/reference/lgas", { state: "XX" }), poor],
      ["401", url("/v1/lookup", { code: postcodes.full, level: 2 })],
      ["402", url("/v1/lookup", { code: postcodes.full, level: 2 }), poor],
      ["404", "/v1/nothing"]
    ]
    for (const [status, target, key] of failures) {
      const received = await world.client.get(target, key === undefined ? {} : { key })
      expect(outcomeOf(received)).toMatch(status)
      expectNone(received)
    }
    expectNone(await world.client.send({ method: "HEAD", target: url("/v1/lookup", { code: postcodes.full }) }))
  })
}

const expectNone = ({ headers }: Received): void => {
  expect(headers).not.toHaveProperty(version)
  expect(headers).not.toHaveProperty(date)
}

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, { headers: object }>> }>>>
  >
}

const description = (world: World): void => {
  it("are in the interface description of exactly the answers that have them", async () => {
    const { paths } = jsonOf(await world.client.get("/v1/openapi.json")) as Description
    for (const { method, operation, path } of endpoints) {
      const responses = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]?.responses ?? {}
      const described = Object.entries(responses).flatMap(([status, { headers }]) =>
        ["X-Data-Version", "X-Data-Date"].filter((name) => name in headers).map((name) => `${status} ${name}`)
      )
      const expected = operations.includes(operation) ? ["200 X-Data-Version", "200 X-Data-Date"] : []
      expect(described, operation).toEqual(expected)
    }
  })
}

const values = (world: World): void => {
  const search = "/v1/search/autocomplete?q=LA"

  it("count the changes since the edition after a plus sign", async () => {
    const changed = edition(world, { changes: 17 })
    const { client } = await serveDirectory(world, () => changed)
    expect((await client.get(search)).headers[version]).toBe(`${fixtureEdition.version}+17`)
  })

  it("are absent where the directory does not know them", async () => {
    const unknown = edition(world, { version: "", date: "" })
    const { client } = await serveDirectory(world, () => unknown)
    expectNone(await client.get(search))
  })

  const hostile: ReadonlyArray<readonly [string, string]> = [
    ["line breaks and headers", "1\r\nSet-Cookie: a=b\r\n\r\n<html>"],
    ["control characters", "1\u0000\u0007\u007f\u0085\u2028"],
    ["letters beyond ASCII", "Àtẹ̀jáde 2026 \u{1f1f3}\u{1f1ec}"],
    ["half of a surrogate pair", "1\ud800"],
    ["a byte order mark", "\ufeff1"],
    ["spaces at its ends", " 2026 1\t"],
    ["a plus sign", "2026+1"],
    ["percent signs", "100%25%"],
    ["quotes, commas and semicolons", 'a"b, c; d\\'],
    ["a great length", "\u{1f600}".repeat(50_000)]
  ]
  it.each(hostile)("a version with %s breaks no answer", async (_, text) => {
    const directory = edition(world, { version: text, date: text })
    const { client } = await serveDirectory(world, () => directory)
    const received = await client.get(search)
    expect(received.status).toBe(200)
    const shown = text.slice(0, 64).replace("\ud800", "\ufffd")
    expect(decodeURIComponent(received.headers[version] as string)).toBe(shown)
    expect(decodeURIComponent(received.headers[date] as string)).toBe(shown)
    expect(received.headers).not.toHaveProperty("set-cookie")
  })
}

const changing = (world: World): void => {
  it.each(operations)("%s reads it once a request, and every other request may get another one", async (operation) => {
    const editions = ["a", "b"].map((version) => edition(world, { version, date: "" }))
    let reads = 0
    const { client } = await serveDirectory(world, () => editions[reads++ % 2] as Directory)
    const message = sampleMessage(operation, await makeScene(world.operator))
    const before = reads
    const versions = [await client.send(message), await client.send(message), await client.send(message)]
    expect(versions.map(({ headers }) => headers[version])).toEqual(
      before % 2 === 0 ? ["a", "b", "a"] : ["b", "a", "b"]
    )
    expect(reads - before).toBe(3)
  })

  it("an answer and its version are of one directory, even if the directory changes meanwhile", async () => {
    const { fixture } = world
    const next = otherDirectory({ version: "next", date: "2026-02-28" })
    let current = fixture.directory
    const attributes = (asked: ReadonlyArray<Postcode>) =>
      Effect.sync(() => {
        current = next
        return asked.map(fixture.attributesOf)
      })
    const { client } = await world.serveAnother({}, (effect) =>
      effect.pipe(
        Effect.provideService(CurrentDirectory, { get: () => current }),
        Effect.provideService(Units, { attributes })
      )
    )
    const key = (await world.operator.key()).secret
    const target = url("/v1/lookup", { code: postcodes.full, level: 5 })
    const first = await client.get(target, { key })
    expect(current).toBe(next)
    expect(dataOf(first)).toMatchObject({ valid: true, point_geometry: { coordinates: [3.3515, 6.6018] } })
    expect(first.headers).toMatchObject({ [version]: fixtureEdition.version, [date]: fixtureEdition.date })
    const second = await client.get(target, { key })
    expect(dataOf(second)).toEqual({ postcode: postcodes.full, valid: false, status: "not_found" })
    expect(second.headers).toMatchObject({ [version]: "next", [date]: "2026-02-28" })
  })
}

const readiness = (world: World): void => {
  it("omits an unknown version and date", async () => {
    const unknown = edition(world, { version: "", date: "" })
    const { client } = await serveDirectory(world, () => unknown)
    const { directory } = dataOf<{ readonly directory: object }>(await client.get("/v1/health/ready"))
    expect(Object.keys(directory).toSorted()).toEqual(["active_units", "addresses", "changes", "units"])
  })

  it("counts the changes since the edition, and returns the version unencoded", async () => {
    const changed = edition(world, { version: "Àtẹ̀jáde 1", date: "2026-01-31", changes: 3 })
    const { client } = await serveDirectory(world, () => changed)
    const { directory } = dataOf<{ readonly directory: object }>(await client.get("/v1/health/ready"))
    expect(directory).toMatchObject({ version: "Àtẹ̀jáde 1", date: "2026-01-31", changes: 3 })
  })
}

type Edition = Pick<Directory, "version" | "date" | "changes">

/** The fixture's directory under another edition. */
const edition = (world: World, edition: Partial<Edition>): Directory =>
  new Directory({ ...world.fixture.directory.contents, ...edition })

/** A directory that shares no unit with the fixture. */
const otherDirectory = (edition: Pick<Edition, "version" | "date">): Directory => {
  const builder = new DirectoryBuilder(edition)
  builder.addUnit("KD-01-A00-AA-01" as Postcode, { lat: 10.52, lon: 7.44 }, true)
  const built = builder.build()
  if (!built.ok) throw new Error("one unit cannot come twice")
  return built.directory
}

const serveDirectory = (world: World, get: () => Directory): Promise<Served> =>
  world.serveAnother({}, (effect) => Effect.provideService(effect, CurrentDirectory, { get }))
