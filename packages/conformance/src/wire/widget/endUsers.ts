/** End users: saved singly or in batches, found, counted and removed. Answers never contain their identifiers. */
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { World } from "../../world/World.ts"
import { canaryNin } from "../Conventions.ts"
import { dataOf, expectFailure, type Identified, type Received } from "../Received.ts"

const root = "/v1/admin/end-users"
const bookmarks = [{ postcode: "la12a03bg07", label: "Home" }]
const kept = [{ postcode: postcodes.full, label: "Home" }]

export const endUsers = (world: World): void => {
  describe("end users", () => {
    saving(world)
    savingMany(world)
    finding(world)
    lookingUp(world)
    removing(world)
    declaring(world)
  })
}

let count = 0
/** An unused email address with the canary, which the client searches for in every answer. */
const email = () => `cAnArY.${Date.now()}.${process.pid}.${count++}@example.com`

const saving = (world: World): void => {
  const save = (body: unknown): Promise<Received> => world.operator.call("PUT", root, body)

  it("returns an id, the same one for any spelling of an identifier", async () => {
    const address = email()
    const saved = dataOf<Identified>(await save({ identifiers: [address], bookmarks }))
    expect(saved).toEqual({ id: expect.stringMatching(/^usr_[0-9A-Za-z]{20}$/) })
    const again = await save({ identifiers: [` ${address.toUpperCase()} `], bookmarks: [] })
    expect(dataOf(again)).toEqual(saved)
    expect(dataOf(await save({ identifiers: [email()], bookmarks }))).not.toEqual(saved)
  })

  it("an end user may have several identifiers; identifiers of two end users together are 409", async () => {
    const [first, second] = [email(), email()]
    const { id } = dataOf<Identified>(await save({ identifiers: [first, second, first], bookmarks }))
    expect(dataOf(await save({ identifiers: [second], bookmarks }))).toEqual({ id })
    const other = email()
    await save({ identifiers: [other], bookmarks })
    expectFailure(await save({ identifiers: [second, other], bookmarks }), "409 conflict")
  })

  it("identifiers are NINs or email addresses; any other value is 400 with its position and without the value", async () => {
    expect((await save({ identifiers: [canaryNin], bookmarks })).status).toBe(200)
    const wrong = [
      "",
      "1234567890",
      "123456789012",
      "cAnArY",
      "cAnArY@",
      "@cAnArY.com",
      "cAnArY@localhost",
      "a b@cAnArY.com",
      "\ud800@cAnArY.com",
      "\ufffd@cAnArY.com",
      "a\u0000b@cAnArY.com"
    ]
    for (const identifier of wrong) {
      const received = await save({ identifiers: [email(), identifier], bookmarks })
      expectFailure(received, "400 invalid_parameter", "identifiers[1]: expected an 11-digit NIN or an email address")
    }
    for (const identifiers of [[], null, "cAnArY@example.com", [1], new Array(11).fill("a@example.com")]) {
      expectFailure(await save({ identifiers, bookmarks }), "400 invalid_parameter", "identifiers")
    }
  })

  it("bookmarks have a postcode in any format and a label", async () => {
    const wrong: ReadonlyArray<readonly [unknown, string]> = [
      [[{ postcode: "cAnArY", label: "a" }], "bookmarks[0].postcode"],
      [[...bookmarks, { postcode: "LA-12", label: "a" }], "bookmarks[1].postcode"],
      [[{ postcode: postcodes.full }], "bookmarks[0].label"],
      [[{ postcode: postcodes.full, label: "" }], "bookmarks[0].label"],
      [[{ postcode: postcodes.full, label: "x".repeat(101) }], "bookmarks[0].label"],
      [new Array(101).fill(bookmarks[0]), "bookmarks: expected at most 100"],
      ["none", "bookmarks"],
      [undefined, "bookmarks: this is required"]
    ]
    for (const [value, mention] of wrong) {
      expectFailure(await save({ identifiers: [email()], bookmarks: value }), "400 invalid_parameter", mention)
    }
    expect((await save({ identifiers: [email()], bookmarks: [] })).status).toBe(200)
  })

  it("identifiers are in no answer, including the audit log", async () => {
    const address = email()
    const { id } = dataOf<Identified>(await save({ identifiers: [address, canaryNin], bookmarks }))
    const audit = await world.operator.call("GET", "/v1/admin/audit?action=end_user.saved&limit=1")
    expect(dataOf(audit)).toMatchObject({
      events: [{ action: "end_user.saved", actor: "operator", subject: id, details: { identifiers: 2, bookmarks: 1 } }]
    })
    for (const part of [address, address.toLowerCase(), address.split("@")[0] as string, canaryNin]) {
      for (const form of [part, encodeURIComponent(part), Buffer.from(part).toString("base64")]) {
        expect(audit.text).not.toContain(form)
      }
    }
  })
}

const lookingUp = (world: World): void => {
  it("each search is in the audit log, with the id or hash and never the identifier, even without a result", async () => {
    const [address, unknown] = [email(), email()]
    const saved = await world.operator.call("PUT", root, { identifiers: [address], bookmarks })
    const { id } = dataOf<Identified>(saved)
    const someone = await world.operator.account("operator")
    const { headers } = someone
    const find = (identifier: string) => world.client.post(`${root}/find`, { identifier }, { headers })
    expect((await find(address)).status).toBe(200)
    expectFailure(await find(unknown), "404 not_found")
    expectFailure(await find("no identifier"), "400 invalid_parameter")
    expect((await world.client.get(`${root}/${id}`, { headers })).status).toBe(200)
    const audit = await world.operator.call("GET", `/v1/admin/audit?actor=${someone.id}`)
    const { events } = dataOf<{ readonly events: ReadonlyArray<object> }>(audit)
    expect(events).toMatchObject([
      { action: "end_user.viewed", actor: someone.id, subject: id, details: {} },
      { action: "end_user.searched", subject: expect.stringMatching(/^\w+:[0-9a-f]{64}$/), details: { found: 0 } },
      { action: "end_user.searched", subject: id, details: { found: 1 } },
      { action: expect.stringMatching(/^account\./) }
    ])
    for (const text of [address, unknown, address.toLowerCase()]) expect(audit.text).not.toContain(text)
  })
}

const savingMany = (world: World): void => {
  const saveAll = (end_users: unknown): Promise<Received> => world.operator.call("PUT", `${root}/batch`, { end_users })

  it("a batch is answered in order, and a repetition has the same answer", async () => {
    const people = Array.from({ length: 3 }, () => ({ identifiers: [email()], bookmarks }))
    const saved = dataOf<{ readonly results: ReadonlyArray<Identified> }>(await saveAll(people))
    expect(saved.results).toHaveLength(3)
    expect(new Set(saved.results.map(({ id }) => id)).size).toBe(3)
    expect(dataOf(await saveAll(people))).toEqual(saved)
    for (const [i, { id }] of saved.results.entries()) {
      const { identifiers } = people[i] as (typeof people)[number]
      expect(dataOf(await world.operator.call("PUT", root, { identifiers, bookmarks }))).toEqual({ id })
    }
  })

  it("identifiers of two end users are an error of their item only; the others are saved", async () => {
    const [mine, yours, fresh] = [email(), email(), email()]
    const people = [[mine], [yours], [mine, yours], [fresh]].map((identifiers) => ({ identifiers, bookmarks }))
    const { results } = dataOf<{ readonly results: ReadonlyArray<unknown> }>(await saveAll(people))
    const id = expect.stringMatching(/^usr_[0-9A-Za-z]{20}$/)
    const error = { code: "conflict", message: expect.stringContaining("two end users") }
    expect(results).toEqual([{ id }, { id }, { error }, { id }])
  })

  it("a malformed item fails the batch and is named by its position, and nothing is saved", async () => {
    const good = { identifiers: [email()], bookmarks }
    const wrong: ReadonlyArray<readonly [unknown, string]> = [
      [{ ...good, identifiers: ["cAnArY"] }, "end_users[1].identifiers[0]: expected an 11-digit NIN"],
      [{ ...good, identifiers: [] }, "end_users[1].identifiers: expected at least one"],
      [{ ...good, bookmarks: [{ postcode: "cAnArY", label: "a" }] }, "end_users[1].bookmarks[0].postcode"],
      [{ ...good, bookmarks: [{ postcode: postcodes.full, label: "a\nb" }] }, "end_users[1].bookmarks[0].label"],
      [{ identifiers: [email()] }, "end_users[1].bookmarks: this is required"],
      [null, "end_users[1]"]
    ]
    for (const [item, mention] of wrong) {
      expectFailure(await saveAll([good, item]), "400 invalid_parameter", mention)
    }
    const [identifier] = good.identifiers
    expectFailure(await world.operator.call("POST", `${root}/find`, { identifier }), "404 not_found")
  })

  it("a batch has 1 to 500 items", async () => {
    const people = Array.from({ length: 500 }, () => ({ identifiers: [email()], bookmarks: [] }))
    const { results } = dataOf<{ readonly results: ReadonlyArray<Identified> }>(await saveAll(people))
    expect(new Set(results.map(({ id }) => id)).size).toBe(500)
    const more = [...people, people[0]]
    expectFailure(await saveAll(more), "400 invalid_parameter", "end_users: expected at most 500 end users")
    expectFailure(await saveAll([]), "400 invalid_parameter", "end_users: expected at least one end user")
    expectFailure(await saveAll("all"), "400 invalid_parameter", "end_users")
  })

  it("each saved one has its own entry in the audit log", async () => {
    const [mine, yours] = [email(), email()]
    const people = [[mine], [yours], [mine, yours]].map((identifiers) => ({ identifiers, bookmarks }))
    const { results } = dataOf<{ readonly results: ReadonlyArray<Identified> }>(await saveAll(people))
    const audit = await world.operator.call("GET", "/v1/admin/audit?limit=2")
    const entryOf = (item: Identified | undefined) => ({
      ...{ actor: "operator", action: "end_user.saved", subject: item?.id },
      details: { identifiers: 1, bookmarks: 1 }
    })
    expect(dataOf(audit)).toMatchObject({ events: [entryOf(results[1]), entryOf(results[0])] })
  })
}

const finding = (world: World): void => {
  const find = (identifier: unknown) => world.operator.call("POST", `${root}/find`, { identifier })

  it("one is found by any identifier in any spelling, and by id; the answer has the number of identifiers only", async () => {
    const [first, second] = [email(), email()]
    const saved = await world.operator.call("PUT", root, { identifiers: [first, second], bookmarks })
    const { id } = dataOf<Identified>(saved)
    const shown = { id, identifiers: 2, bookmarks: kept }
    expect(dataOf(await find(` ${first.toUpperCase()} `))).toEqual(shown)
    expect(dataOf(await find(second))).toEqual(shown)
    expect(dataOf(await world.operator.call("GET", `${root}/${id}`))).toEqual(shown)
  })

  it("an unknown identifier is 404; an invalid one is 400", async () => {
    expectFailure(await find(email()), "404 not_found", "there is no end user with this identifier")
    for (const identifier of ["", "cAnArY", "1234567890", "cAnArY@localhost"]) {
      expectFailure(await find(identifier), "400 invalid_parameter", "identifier: expected an 11-digit NIN")
    }
    for (const identifier of [null, 1, [email()], undefined]) {
      expectFailure(await find(identifier), "400 invalid_parameter", "identifier")
    }
  })

  it("end users are counted", async () => {
    const countNow = async () => dataOf<{ readonly count: number }>(await world.operator.call("GET", root)).count
    const before = await countNow()
    const identifiers = [email(), email()]
    await world.operator.call("PUT", root, { identifiers, bookmarks })
    await world.operator.call("PUT", root, { identifiers, bookmarks: [] })
    expect(await countNow()).toBe(before + 1)
  })
}

const removing = (world: World): void => {
  it("one is removed: it is no longer found, its identifiers are free, and a second removal is 404", async () => {
    const identifier = email()
    const save = () => world.operator.call("PUT", root, { identifiers: [identifier], bookmarks })
    const { id } = dataOf<Identified>(await save())
    const removed = dataOf<{ readonly removed_at: string }>(await world.operator.call("DELETE", `${root}/${id}`))
    expect(removed).toEqual({ id, removed_at: expect.any(String) })
    expect(Date.parse(removed.removed_at)).not.toBeNaN()
    for (const method of ["GET", "DELETE"]) {
      expectFailure(await world.operator.call(method, `${root}/${id}`), "404 not_found")
    }
    expectFailure(await world.operator.call("POST", `${root}/find`, { identifier }), "404 not_found")
    expect(dataOf<Identified>(await save()).id).not.toBe(id)
  })

  it("the audit log has the removal with its counts, and no identifier", async () => {
    const address = email()
    const saved = await world.operator.call("PUT", root, { identifiers: [address, email()], bookmarks })
    const { id } = dataOf<Identified>(saved)
    await world.operator.call("DELETE", `${root}/${id}`)
    await world.operator.call("DELETE", `${root}/${id}`)
    const audit = await world.operator.call("GET", "/v1/admin/audit?limit=2")
    expect(dataOf(audit)).toMatchObject({
      events: [
        { action: "end_user.removed", actor: "operator", subject: id, details: { identifiers: 2, bookmarks: 1 } },
        { action: "end_user.saved", subject: id }
      ]
    })
  })

  it("a running session has no more bookmarks, and expires normally", async () => {
    const identifier = email()
    const { id } = dataOf<Identified>(await world.operator.call("PUT", root, { identifiers: [identifier], bookmarks }))
    const key = await world.operator.key({ kind: "publishable" })
    const token = await world.operator.session(key, identifier)
    expect(dataOf(await world.client.get("/v1/widget/bookmarks", { token }))).toEqual({ bookmarks: kept })
    await world.operator.call("DELETE", `${root}/${id}`)
    expect(dataOf(await world.client.get("/v1/widget/bookmarks", { token }))).toEqual({ bookmarks: [] })
  })
}

const declaring = (world: World): void => {
  it("the interface description declares exactly the specific failures of each call", async () => {
    interface Document {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
    }
    const { paths } = JSON.parse((await world.client.get("/v1/openapi.json")).text) as Document
    const own = Object.entries(paths)
      .filter(([path]) => path.startsWith(root))
      .flatMap(([path, calls]) =>
        Object.entries(calls).map(([method, { responses }]) => {
          const statuses = Object.keys(responses).filter((status) => ["404", "409", "413", "415"].includes(status))
          return `${method} ${path.slice(root.length)}: ${statuses.join(" ")}`
        })
      )
    expect(own.sort()).toEqual([
      "delete /{id}: 404",
      "get /{id}: 404",
      "get : ",
      "post /find: 404 413 415",
      "put /batch: 413 415",
      "put : 409 413 415"
    ])
  })
}
