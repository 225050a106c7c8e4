/** Changes of the directory: what operators may change, what keys may follow, and the history of a unit. */
import { randomUUID } from "node:crypto"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { describe, expect, it } from "vitest"
import { fixtureEdition, postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene, TestKey } from "../../world/Operator.ts"
import { operatorToken } from "../../world/OperatorToken.ts"
import { json, type Options, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, jsonOf, type Received } from "../Received.ts"
import { changesWithPoint } from "../Vectors.ts"

const target = "/v1/admin/directory/changes"

interface Change {
  readonly change: string
  readonly postcode: string
  readonly [field: string]: unknown
}

interface Result {
  readonly valid: boolean
  readonly version: string
  readonly applied: number
  readonly unchanged: number
  readonly repeated: boolean
  readonly faults: ReadonlyArray<{ readonly index: number; readonly reason: string }>
  readonly removals?: number
  readonly active_units?: number
}

interface Page {
  readonly changes: ReadonlyArray<{
    readonly number: number
    readonly change: string
    readonly postcode: string
    readonly active: boolean
    readonly at: string
    readonly replaced_by?: string
    readonly point_geometry?: { readonly coordinates: readonly [number, number] }
  }>
  readonly version: string
  readonly latest: string
}

/** The suite changes the directory, so the world must be its own. */
export const directoryChanges = (world: World): void => {
  describe("POST /v1/admin/directory/changes", () => {
    applying(world)
    refusing(world)
    checking(world)
    removing(world)
    noting(world)
    longBodies(world)
  })
  describe("GET /v1/admin/directory/units/:postcode", () => units(world))
  describe("GET /v1/directory/changes", () => {
    following(world)
    parameters(world)
    coordinates(world)
    charging(world)
  })
}

/** A postcode that no other test uses. */
const newPostcode = (() => {
  let count = 0
  return () => `KN-03-Z${String(Math.floor(count / 90)).padStart(2, "0")}-AA-${String((count++ % 90) + 10)}`
})()

const send = (world: World, changes: ReadonlyArray<Change>, fields: Readonly<Record<string, unknown>> = {}) =>
  world.operator.call("POST", target, { reason: "a survey", reference: randomUUID(), changes, ...fields })

const apply = async (world: World, ...changes: ReadonlyArray<Change>): Promise<Result> =>
  dataOf<Result>(await send(world, changes))

const add = (postcode = newPostcode(), fields: Readonly<Record<string, unknown>> = {}): Change => ({
  change: "add",
  postcode,
  lat: 11.5,
  lng: 8.5,
  ...fields
})

/** The version of the directory now. */
const versionNow = async (world: World): Promise<string> => (await follow(world, fixtureEdition.version)).latest

const read = (world: World, query: Readonly<Record<string, string | number>>, options: Options): Promise<Received> =>
  world.client.get(url("/v1/directory/changes", query), options)

const follow = async (
  world: World,
  since: string,
  query: Readonly<Record<string, string | number>> = {},
  key?: TestKey
): Promise<Page> => {
  const { secret } = key ?? (await world.operator.key())
  return dataOf<Page>(await read(world, { since, ...query }, { key: secret }))
}

const applying = (world: World): void => {
  it("applies each kind of change, in order, and tells the new version and how many had an effect", async () => {
    const [first, second] = [newPostcode(), newPostcode()]
    const since = await versionNow(world)
    const result = await apply(
      world,
      add(first, { attributes: { locality_name: "Albasu", delivery_point: true } }),
      add(second, { active: false, replaced_by: first }),
      { change: "move", postcode: first, lat: 11.6, lng: 8.6 },
      { change: "set", postcode: first, attributes: { locality_name: null, building_type: "duplex" } },
      { change: "reactivate", postcode: second },
      { change: "reactivate", postcode: second },
      { change: "retire", postcode: second },
      { change: "replace", postcode: first, replaced_by: second }
    )
    expect(result).toEqual({
      valid: true,
      version: expect.stringMatching(new RegExp(`^${fixtureEdition.version}\\+\\d+$`)),
      applied: 7,
      unchanged: 1,
      repeated: false,
      faults: []
    })
    const { changes, latest } = await follow(world, since)
    expect(latest).toBe(result.version)
    expect(changes.map(({ active, change, postcode, replaced_by }) => [change, postcode, active, replaced_by])).toEqual(
      [
        ["add", first, true, undefined],
        ["add", second, false, first],
        ["move", first, true, undefined],
        ["set", first, true, undefined],
        ["reactivate", second, true, undefined],
        ["retire", second, false, undefined],
        ["replace", first, false, second]
      ]
    )
  })

  it("takes postcodes in any format", async () => {
    const postcode = newPostcode()
    const successor = newPostcode()
    await apply(world, add(postcode.toLowerCase().replaceAll("-", " ")))
    await apply(world, {
      change: "replace",
      postcode: postcode.replaceAll("-", ""),
      replaced_by: successor.toLowerCase()
    })
    const shown = dataOf(await world.operator.call("GET", `/v1/admin/directory/units/${postcode}`))
    expect(shown).toMatchObject({ unit: { status: "retired", replaced_by: successor } })
  })

  it("changes nothing if it is sent again under its reference, and tells the version it had", async () => {
    const change = add()
    const fields = { reference: randomUUID() }
    const first = dataOf<Result>(await send(world, [change], fields))
    await apply(world, add())
    const latest = await versionNow(world)
    expect(dataOf<Result>(await send(world, [change], fields))).toEqual({ ...first, repeated: true })
    expect(await versionNow(world)).toBe(latest)
  })

  it("is 409 under the reference of another batch", async () => {
    const fields = { reference: randomUUID() }
    dataOf(await send(world, [add()], fields))
    expectFailure(await send(world, [add()], fields), "409 conflict", "reference")
  })

  it("applies batches that come together one after the other, each once", async () => {
    const since = await versionNow(world)
    const batches = Array.from({ length: 8 }, () => [add(), add()])
    const results = await Promise.all(batches.map((changes) => apply(world, ...changes)))
    expect(new Set(results.map(({ version }) => version)).size).toBe(8)
    const { changes } = await follow(world, since)
    expect(changes.map(({ number }) => number)).toEqual(changes.map((_, i) => (changes[0]?.number ?? 0) + i))
    const followed = changes.map(({ postcode }) => postcode)
    expect(followed.toSorted()).toEqual(
      batches
        .flat()
        .map(({ postcode }) => postcode)
        .toSorted()
    )
    for (const [one, two] of batches) {
      expect(followed.indexOf(two?.postcode ?? "")).toBe(followed.indexOf(one?.postcode ?? "") + 1)
    }
  })
}

const refusing = (world: World): void => {
  it("a batch with a fault is 400 and changes nothing; the message names the faults by their index", async () => {
    const latest = await versionNow(world)
    const good = add()
    const received = await send(world, [
      good,
      { change: "retire", postcode: newPostcode() },
      { change: "move", postcode: "KN-03", lat: 1, lng: 1 },
      add(newPostcode(), { lat: 95 })
    ])
    expectFailure(received, "400 invalid_parameter", "changes[1]: postcode: no unit has it; add it first; changes[2]: ")
    expectFailure(received, "400 invalid_parameter", "changes[3]: ")
    expect(await versionNow(world)).toBe(latest)
    expectFailure(await world.operator.call("GET", `/v1/admin/directory/units/${good.postcode}`), "404 not_found")
  })

  it("of many faults the message names the first 20 and counts the others", async () => {
    const changes = Array.from({ length: 32 }, () => ({ change: "retire", postcode: newPostcode() }))
    const received = await send(world, changes)
    expectFailure(received, "400 invalid_parameter", "; and 12 more")
    expectFailure(received, "400 invalid_parameter", "changes[19]: ")
    expect(received.text).not.toContain("changes[20]")
  })

  const unit = { change: "retire", postcode: postcodes.full }
  const refused: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, string]> = [
    ["no changes", { changes: undefined }, "changes"],
    ["an empty list", { changes: [] }, "changes: expected at least one change"],
    ["changes that are no list", { changes: unit }, "changes"],
    ["10,001 changes", { changes: Array(10_001).fill(unit) }, "changes: expected at most 10000"],
    ["a change that is no object", { changes: [unit, "retire"] }, "changes[1]"],
    [
      "an unknown kind of change",
      { changes: [unit, { ...unit, change: "remove" }] },
      "changes[1].change: expected one of"
    ],
    ["a postcode that is no text", { changes: [{ ...unit, postcode: 5 }] }, "changes[0].postcode"],
    ["a latitude that is no number", { changes: [{ ...unit, lat: "6.5" }] }, "changes[0].lat"],
    [
      "an attribute that is no text",
      { changes: [{ ...unit, attributes: { building_type: 5 } }] },
      "changes[0].attributes"
    ],
    ["no reason", { reason: undefined }, "reason"],
    ["an empty reference", { reference: " " }, "reference"],
    ["a reference of 201 characters", { reference: "x".repeat(201) }, "reference"]
  ]
  it.each(refused)("%s is 400", async (_, fields, mention) => {
    expectFailure(await send(world, [unit], fields), "400 invalid_parameter", mention)
  })

  it("is for operators alone", async () => {
    const body = { reason: "a survey", reference: randomUUID(), changes: [add()] }
    for (const role of ["owner", "developer", "billing"] as const) {
      const { headers } = await world.operator.account(role)
      expectFailure(await world.client.post(target, body, { headers }), "403 insufficient_scope", "operator")
    }
    const { headers } = await world.operator.account("operator")
    expect(dataOf<Result>(await world.client.post(target, body, { headers }))).toMatchObject({ applied: 1 })
  })
}

const checking = (world: World): void => {
  it("a dry run tells what would be, and changes nothing", async () => {
    const before = await versionNow(world)
    const changes = [add(), { change: "reactivate", postcode: postcodes.full }]
    const fields = { reference: randomUUID() }
    const result = dataOf<Result>(await send(world, changes, { ...fields, dry_run: true }))
    expect(result).toMatchObject({ valid: true, applied: 1, unchanged: 1, repeated: false, faults: [] })
    expect(await versionNow(world)).toBe(before)
    expect(dataOf<Result>(await send(world, changes, fields))).toEqual(result)
  })

  it("a dry run of bad changes lists all faults", async () => {
    const changes = Array.from({ length: 30 }, () => ({ change: "retire", postcode: newPostcode() }))
    const result = dataOf<Result>(await send(world, [add(), ...changes], { dry_run: true }))
    expect(result).toMatchObject({ valid: false, applied: 0, unchanged: 0, repeated: false })
    expect(result.faults.map(({ index }) => index)).toEqual(changes.map((_, i) => i + 1))
    expect(new Set(result.faults.map(({ reason }) => reason))).toEqual(
      new Set(["postcode: no unit has it; add it first"])
    )
  })
}

const removing = (world: World): void => {
  it("a batch that retires or moves many active units needs their number, which a dry run tells", async () => {
    const units = Array.from({ length: 11 }, () => newPostcode())
    await apply(world, ...units.map((postcode) => add(postcode)))
    const [moved = "", ...others] = units
    const changes = [
      { change: "move", postcode: moved, lat: 11.7, lng: 8.5 },
      ...others.map((postcode) => ({ change: "retire", postcode }))
    ]
    const dry = dataOf<Result>(await send(world, changes, { dry_run: true }))
    expect(dry).toMatchObject({ valid: true, applied: 11, removals: 11, active_units: expect.any(Number) })
    // A small directory: 10 changes are more than 1 % of it, and are free.
    expect(dry.active_units).toBeLessThan(1_000)
    const before = await versionNow(world)
    for (const allowed of [{}, { allow_removals: 0 }, { allow_removals: 10 }]) {
      const refused = await send(world, changes, allowed)
      expectFailure(refused, "400 invalid_parameter", 'send the batch again with "allow_removals": 11')
    }
    expect(await versionNow(world)).toBe(before)
    expect(await apply(world, ...changes.slice(0, 10))).toMatchObject({ applied: 10 })
    const back = changes.slice(1, 10).map(({ postcode }) => ({ change: "reactivate", postcode }))
    await apply(world, ...back, { change: "move", postcode: moved, lat: 11.5, lng: 8.5 })
    const rest = await send(world, changes, { allow_removals: 11 })
    expect(dataOf<Result>(rest)).toMatchObject({ applied: 11 })
  })

  it.each([-1, 1.5, "some", "11", null])("allow_removals: %j is 400", async (allow_removals) => {
    expectFailure(await send(world, [add()], { allow_removals }), "400 invalid_parameter", "allow_removals")
  })

  it("all of them are allowed with all", async () => {
    const units = Array.from({ length: 12 }, () => newPostcode())
    await apply(world, ...units.map((postcode) => add(postcode)))
    const changes = units.map((postcode) => ({ change: "retire", postcode }))
    const result = await send(world, changes, { allow_removals: "all" })
    expect(dataOf<Result>(result)).toMatchObject({ applied: 12 })
  })
}

const noting = (world: World): void => {
  interface Event {
    readonly action: string
    readonly subject: string
    readonly actor: string
    readonly details: Readonly<Record<string, unknown>>
  }
  const events = async () => {
    const listed = await world.operator.call("GET", "/v1/admin/audit?action=directory.changed&limit=100")
    return dataOf<{ readonly events: ReadonlyArray<Event> }>(listed).events
  }

  it("a batch with an effect has one entry in the audit log; a repeated, refused or checked one has none", async () => {
    const before = (await events()).length
    const fields = { reference: randomUUID(), reason: "demolished" }
    const changes = [add(), { change: "reactivate", postcode: postcodes.full }]
    const { version } = dataOf<Result>(await send(world, changes, fields))
    await send(world, changes, fields)
    await send(world, changes, { ...fields, reference: randomUUID(), dry_run: true })
    await send(world, [{ change: "retire", postcode: newPostcode() }])
    await send(world, [{ change: "reactivate", postcode: postcodes.full }])
    const [entry, ...others] = await events()
    expect(others).toHaveLength(before)
    expect(entry).toMatchObject({
      subject: version,
      actor: "operator",
      details: { applied: 1, unchanged: 1, ...fields }
    })
  })
}

const maximum_bytes = 4 * 1024 * 1024

/** A batch that changes nothing, of this many bytes. No item is longer than 64 KiB. */
const bodyOf = (bytes: number): string => {
  const fields = JSON.stringify({ reason: "a survey", reference: randomUUID() })
  const unit = JSON.stringify({ change: "reactivate", postcode: postcodes.full })
  const items = Math.ceil(bytes / 49_000)
  const padded = (first: number): string => {
    const changes = Array.from({ length: items }, (_, i) => unit + " ".repeat(i === 0 ? first : 49_000))
    return `${fields.slice(0, -1)},"changes":[${changes.join(",")}]}`
  }
  const without = padded(0).length
  return padded(bytes - without)
}

const longBodies = (world: World): void => {
  const post = (body: string | Uint8Array | ReadonlyArray<Uint8Array>) =>
    world.client.send({ ...json({}), method: "POST", target, token: operatorToken, body })

  it("takes 10,000 changes in one body", async () => {
    const changes = Array.from({ length: 10_000 }, () => ({ change: "reactivate", postcode: postcodes.full }))
    expect(await apply(world, ...changes)).toMatchObject({ applied: 0, unchanged: 10_000 })
  })

  it("takes a body of 4 MiB, whole or in chunks, and not one byte more", async () => {
    const body = bodyOf(maximum_bytes)
    expect(body).toHaveLength(maximum_bytes)
    expect(dataOf<Result>(await post(body))).toMatchObject({ applied: 0, repeated: false })
    const bytes = Buffer.from(body)
    const chunks = Array.from({ length: 64 }, (_, i) => bytes.subarray(i * 65_536, (i + 1) * 65_536))
    expect(dataOf<Result>(await post(chunks))).toMatchObject({ applied: 0, repeated: true })
    expectFailure(await post(bodyOf(maximum_bytes + 1)), "413 payload_too_large", "4 MiB")
  })

  it("no other endpoint takes more than 64 KiB", async () => {
    const body = { identifiers: ["sample@example.com"], bookmarks: [], pad: "x".repeat(65_536) }
    expectFailure(await world.operator.call("PUT", "/v1/admin/end-users", body), "413 payload_too_large", "64 KiB")
  })

  it("long bodies are read only for operators", async () => {
    const { secret } = await world.operator.managementKey("owner", await world.operator.organization())
    const sent = { ...json({}), method: "POST", target, body: bodyOf(1_000_000) }
    expectFailure(await world.client.send(sent), "401 auth_required")
    expectFailure(await world.client.send({ ...sent, token: secret }), "403 insufficient_scope")
  })

  const fields = `"reason":"a survey","reference":"r"`
  const unit = `{"change":"reactivate","postcode":"${postcodes.full}"}`
  const refused: ReadonlyArray<readonly [string, string]> = [
    ["is cut short within its list", `{${fields},"changes":[${unit},`],
    ["has a comma too many", `{${fields},"changes":[${unit},]}`],
    ["lacks a comma", `{${fields},"changes":[${unit}${unit}]}`],
    ["closes its list with a brace", `{${fields},"changes":[${unit}}}`],
    ["has something behind it", `{${fields},"changes":[${unit}]}]`],
    ["has a key twice", `{${fields},"reason":"b","changes":[${unit}]}`],
    ["has its list twice", `{"changes":[${unit}],${fields},"changes":[${unit}]}`],
    ["has a key twice in a change", `{${fields},"changes":[${unit.replace("{", '{"postcode":"x",')}]}`],
    [
      "has a change of more than 64 KiB",
      `{${fields},"changes":[${unit.replace("}", `,"pad":"${"x".repeat(70_000)}"}`)}]}`
    ],
    ["has more than 64 KiB beside its list", `{${fields},"changes":[${unit}],"pad":"${"x".repeat(70_000)}"}`],
    ["has more than 64 KiB of white space", `{${fields},"changes":[${unit}${" ".repeat(70_000)}]}`],
    ["is nested 2 million deep", "[".repeat(2_000_000) + "]".repeat(2_000_000)],
    [
      "is nested 2 million deep in its list",
      `{${fields},"changes":[${"[".repeat(2_000_000)}${"]".repeat(2_000_000)}]}`
    ],
    ["is a long text that does not end", `{${fields},"changes":["${"x".repeat(4_000_000)}`],
    ["is a list", `[${unit}]`]
  ]
  it.each(refused)("a body that %s is 400 invalid_body", async (_, body) => {
    expectFailure(await post(body), "400 invalid_body")
  })

  it("the name of the list may be written with an escape", async () => {
    const received = await post(`{${fields.replace('"r"', `"${randomUUID()}"`)},"ch\\u0061nges":[${unit}]}`)
    expect(dataOf<Result>(received)).toMatchObject({ applied: 0, unchanged: 1 })
  })
}

const units = (world: World): void => {
  const show = (postcode: string) => world.operator.call("GET", `/v1/admin/directory/units/${postcode}`)

  it("shows a unit of the edition with its coordinate and attributes, and no history", async () => {
    expect(dataOf(await show(postcodes.partly))).toEqual({
      postcode: postcodes.partly,
      unit: {
        point_geometry: { type: "Point", coordinates: [3.3525, 6.6018] },
        status: "active",
        attributes: { recent_address: "9 Awolowo Way", delivery_point: false }
      },
      history: []
    })
    expect(dataOf(await show(postcodes.replaced))).toMatchObject({
      unit: { status: "retired", replaced_by: postcodes.full }
    })
  })

  it("shows what happened to a unit, newest first: when, by whom, why, and the unit after it", async () => {
    const [postcode, successor] = [newPostcode(), newPostcode()]
    const added = await apply(world, add(postcode, { attributes: { building_type: "kiosk" } }))
    const reason = "demolished"
    const replaced = dataOf<Result>(
      await send(world, [{ change: "replace", postcode, replaced_by: successor }], { reason, reference: postcode })
    )
    const state = {
      point_geometry: { type: "Point", coordinates: [8.5, 11.5] },
      attributes: { building_type: "kiosk" }
    }
    const retired = { ...state, status: "retired", replaced_by: successor }
    expect(dataOf(await show(postcode))).toEqual({
      postcode,
      unit: retired,
      history: [
        {
          ...retired,
          version: replaced.version,
          change: "replace",
          at: expect.any(String),
          actor: "operator",
          reason,
          reference: postcode
        },
        {
          ...state,
          status: "active",
          version: added.version,
          change: "add",
          at: expect.any(String),
          actor: "operator",
          reason: "a survey",
          reference: expect.any(String)
        }
      ]
    })
  })

  it("takes the display format with percent-encoded spaces", async () => {
    expect(dataOf(await show(postcodes.full.replaceAll("-", "%20")))).toMatchObject({ postcode: postcodes.full })
    expectFailure(await show("LA%2012"), "400 invalid_parameter", "postcode: ")
    expectFailure(await show("LA%2F12"), "404 not_found")
  })

  it("takes the compact format, too; a malformed postcode is 400 and an unknown one 404", async () => {
    expect(dataOf(await show(postcodes.full.replaceAll("-", "").toLowerCase()))).toMatchObject({
      postcode: postcodes.full
    })
    expectFailure(await show("LA-12"), "400 invalid_parameter", "postcode: ")
    expectFailure(await show(postcodes.unknown), "404 not_found")
  })

  it("is for operators alone", async () => {
    const { headers } = await world.operator.account("owner")
    const shown = `/v1/admin/directory/units/${postcodes.full}`
    expectFailure(await world.client.get(shown, { headers }), "403 insufficient_scope", "operator")
  })
}

const following = (world: World): void => {
  it("needs a key, of any kind", async () => {
    expectFailure(await read(world, { since: fixtureEdition.version }, {}), "401 auth_required")
    const origins = ["https://shop.example"]
    for (const scene of [{ max_level: 1 }, { kind: "publishable", origins }, { scopes: ["search"] }] as const) {
      expect(await follow(world, fixtureEdition.version, { limit: 1 }, await world.operator.key(scene))).toBeDefined()
    }
  })

  it("pages lead from change to change, in one order, without gaps and repetitions, whatever their size", async () => {
    const since = await versionNow(world)
    const added = Array.from({ length: 11 }, () => add())
    await apply(world, ...added)
    for (const limit of [1, 3, 11, 1_000]) {
      const seen: Array<string> = []
      let page = await follow(world, since, { limit })
      for (;;) {
        seen.push(...page.changes.map(({ postcode }) => postcode))
        expect(page.changes.length).toBeLessThanOrEqual(limit)
        if (page.version === page.latest) break
        page = await follow(world, page.version, { limit })
      }
      expect(seen).toEqual(added.map(({ postcode }) => postcode))
    }
  })

  it("a page has 100 changes by default, and none after the latest", async () => {
    const since = await versionNow(world)
    await apply(world, ...Array.from({ length: 101 }, () => add()))
    const { changes, latest } = await follow(world, since)
    expect(changes).toHaveLength(100)
    expect(await follow(world, latest)).toEqual({ changes: [], version: latest, latest })
  })

  it("has no name, no address and no coordinate", async () => {
    const since = await versionNow(world)
    const attributes = { locality_name: "Sabon Gari", recent_address: "1 Bello Road", building_owner: "private" }
    await apply(world, add(newPostcode(), { attributes }))
    const { secret } = await world.operator.key()
    const { headers, text } = await read(world, { since }, { key: secret })
    expect(text).not.toMatch(/Sabon|Bello|private|(?:11|8)\.5(?!\d)/)
    expect(headers).toMatchObject({ "x-lookup-level": "1", "cache-control": "no-store" })
    expect(headers).not.toHaveProperty("x-credits-charged")
    const [change] = (jsonOf({ text } as Received) as { readonly data: Page }).data.changes
    expect(Object.keys(change ?? {}).toSorted()).toEqual(["active", "at", "change", "number", "postcode"])
  })

  it("HEAD is 405, because it would be charged", async () => {
    const { secret } = await world.operator.key()
    const asked = url("/v1/directory/changes", { since: fixtureEdition.version })
    const received = await world.client.send({ method: "HEAD", target: asked, key: secret })
    expect([received.status, received.headers.allow]).toEqual([405, "GET, OPTIONS"])
  })
}

const parameters = (world: World): void => {
  const refused: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string]> = [
    ["no version", {}, "since: this is required"],
    ["a version that is none", { since: "fixture-1+x" }, "since: expected a version"],
    ["a version that is not there yet", { since: "fixture-1+999999999" }, "since"],
    ["limit 0", { since: "fixture-1", limit: "0" }, "limit: expected a whole number from 1 to 1000"],
    ["limit 1001", { since: "fixture-1", limit: "1001" }, "limit"],
    ["coordinates that are no flag", { since: "fixture-1", coordinates: "yes" }, "coordinates: expected true or false"]
  ]
  it.each(refused)("%s is 400", async (_, query, mention) => {
    expectFailure(
      await read(world, query, { key: (await world.operator.key()).secret }),
      "400 invalid_parameter",
      mention
    )
  })

  it("the version of another edition is 410 with a way out", async () => {
    const { secret } = await world.operator.key()
    const received = await read(world, { since: "fixture-0+3" }, { key: secret })
    expectFailure(received, "410 version_expired", "snapshot")
    expectFailure(received, "410 version_expired", fixtureEdition.version)
  })

  it("the plus sign of a version may stand as it is, or be encoded", async () => {
    const since = await versionNow(world)
    const { version } = await apply(world, add())
    const { secret } = await world.operator.key()
    for (const text of [since, since.replace("+", "%2B")]) {
      const page = dataOf<Page>(await world.client.get(`/v1/directory/changes?since=${text}`, { key: secret }))
      expect([page.changes.length, page.version]).toEqual([1, version])
    }
  })
}

const shown = { coordinates: "true" }

const coordinates = (world: World): void => {
  it("are those of vectors/changes.csv, as points, and each postcode with one is charged as a lookup at level 5", async () => {
    const since = await versionNow(world)
    const [one, two] = [newPostcode(), newPostcode()]
    await apply(
      world,
      add(one),
      add(two),
      { change: "move", postcode: one, lat: 11.7, lng: 8.7 },
      { change: "set", postcode: one, attributes: { building_type: "duplex" } },
      { change: "retire", postcode: two },
      { change: "reactivate", postcode: two },
      { change: "replace", postcode: two, replaced_by: one }
    )
    const key = await world.operator.keyWithCredits(100)
    const received = await read(world, { since, ...shown }, { key: key.secret })
    const { changes } = dataOf<Page>(received)
    const withPoint = changesWithPoint()
    expect(withPoint.size).toBe(3)
    for (const { change, point_geometry } of changes) {
      expect(point_geometry !== undefined, change).toBe(withPoint.has(change))
    }
    expect(changes.map(({ point_geometry }) => point_geometry?.coordinates)).toEqual([
      [8.5, 11.5],
      [8.5, 11.5],
      [8.7, 11.7],
      undefined,
      undefined,
      [8.5, 11.5],
      undefined
    ])
    expect(received.headers).toMatchObject({
      "x-lookup-level": "5",
      "x-credits-charged": "6",
      "x-credits-remaining": "94"
    })
    const { entries } = await world.operator.statement(key.organization_id, "live")
    expect(entries[0]).toMatchObject({ amount: -6, reason: "directory_changes", level: 5 })
  })

  const refusals: ReadonlyArray<readonly [string, KeyScene, Parameters<typeof expectFailure>[1]]> = [
    ["a maximum below level 5", { max_level: 4 }, "403 level_not_granted"],
    ["a publishable key", { kind: "publishable", origins: ["https://shop.example"] }, "403 level_not_granted"],
    ["no scope for lookups", { scopes: ["search"] }, "403 insufficient_scope"]
  ]
  it.each(refusals)("need a key that is served level 5: %s is refused", async (_, scene, outcome) => {
    const { secret } = await world.operator.key(scene)
    expectFailure(await read(world, { since: fixtureEdition.version, ...shown }, { key: secret }), outcome)
  })

  it("need the organization's grant, unlike a lookup, which would show less", async () => {
    for (const granted_level of [1, 4] as ReadonlyArray<AccessLevel>) {
      const key = await world.operator.key()
      await world.operator.change(key.organization_id, { granted_level, review_note: "for a test" })
      const received = await read(world, { since: fixtureEdition.version, ...shown }, { key: key.secret })
      expectFailure(received, "403 level_not_granted", "coordinates")
    }
  })
}

const charging = (world: World): void => {
  it("a page is charged all or nothing: with too few credits nothing is shown", async () => {
    const since = await versionNow(world)
    await apply(world, add(), add())
    const key = await world.operator.keyWithCredits(5)
    const received = await read(world, { since, ...shown }, { key: key.secret })
    expectFailure(received, "402 insufficient_credits", "6 credits")
    expect(received.headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "5" })
    const half = await read(world, { since, ...shown, limit: 1 }, { key: key.secret })
    expect(half.headers["x-credits-remaining"]).toBe("2")
  })

  it("a page without coordinates in it costs nothing, and tells so", async () => {
    const since = await versionNow(world)
    const key = await world.operator.keyWithCredits(5)
    const { headers } = await read(world, { since, ...shown }, { key: key.secret })
    expect(headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "5" })
  })

  it("under an Idempotency-Key a page is charged once, and what came since is charged with the repetition", async () => {
    const since = await versionNow(world)
    await apply(world, add())
    const key = await world.operator.keyWithCredits(100)
    const options = { key: key.secret, headers: { "idempotency-key": randomUUID() } }
    const charged = async () => (await read(world, { since, ...shown }, options)).headers["x-credits-charged"]
    expect([await charged(), await charged()]).toEqual(["3", "0"])
    await apply(world, add(), add())
    expect([await charged(), await charged()]).toEqual(["6", "0"])
    expectFailure(await read(world, { since, ...shown, limit: 1 }, options), "422 idempotency_key_reused")
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(91)
  })

  it("without coordinates nothing is charged; an Idempotency-Key is kept for its request all the same", async () => {
    const key = await world.operator.keyWithCredits(0)
    const options = { key: key.secret, headers: { "idempotency-key": randomUUID() } }
    const { headers } = await read(world, { since: fixtureEdition.version, limit: 1 }, options)
    expect(headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "0" })
    const other = await read(world, { since: fixtureEdition.version, limit: 2 }, options)
    expectFailure(other, "422 idempotency_key_reused")
  })
}
