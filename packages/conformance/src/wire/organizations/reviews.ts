/** The verification of businesses, and the filters of lists and of the audit log for reviews. */
import { describe, expect, it } from "vitest"
import type { TestAccount } from "../../world/Operator.ts"
import { json, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Identified, outcomeOf, type Received } from "../Received.ts"

type Fields = Readonly<Record<string, unknown>>

const root = "/v1/admin/organizations"
const submission = { business_name: "Example Parcels Ltd", registration_number: "RC 1234567", note: "since 2019" }

export const reviews = (world: World): void => {
  describe("the verification of a business", () => verification(world))
  describe("an organization's name", () => renaming(world))
  describe("pending reviews", () => waiting(world))
  describe("filters of a member", () => filteredForMembers(world))
  describe("filters of the audit log", () => auditFilters(world))
}

/** Sends JSON in a console session. */
const send = (
  world: World,
  { headers }: TestAccount,
  method: string,
  target: string,
  body: object
): Promise<Received> => world.client.send({ method, target, ...json(body, { headers }) })

const unverified = async (world: World) => {
  const id = await world.operator.organization({ kyb_status: "unverified" })
  return { id, target: `${root}/${id}/kyb`, owner: await world.operator.account("owner", id) }
}

const verification = (world: World): void => {
  const review = (id: string, body: object) => world.operator.call("PATCH", `${root}/${id}`, body)

  it("an owner submits it, an operator rejects it with a reason, the owner submits again, and it is verified", async () => {
    const { id, owner, target } = await unverified(world)
    const before = dataOf<Fields>(await world.operator.call("GET", `${root}/${id}`))
    const submitted = dataOf<Fields>(await send(world, owner, "POST", target, submission))
    const submitted_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    expect(submitted).toEqual({
      ...before,
      kyb_status: "pending",
      kyb_submission: { ...submission, submitted_at }
    })
    expect(dataOf(await world.operator.call("GET", `${root}/${id}`))).toEqual(submitted)

    const rejected = await review(id, { kyb_status: "rejected", review_note: "the number is another company's" })
    expect(dataOf(rejected)).toMatchObject({ kyb_status: "rejected", kyb_submission: submission })
    const { note: _, ...corrected } = { ...submission, registration_number: "RC 7654321" }
    const again = dataOf<Fields>(await send(world, owner, "POST", target, corrected))
    expect(again).toMatchObject({ kyb_status: "pending", review_note: "the number is another company's" })
    expect(again.kyb_submission).toEqual({ ...corrected, submitted_at })

    expect(dataOf(await review(id, { kyb_status: "verified" }))).toMatchObject({ kyb_status: "verified" })
    const key = await world.operator.key({ organization_id: id, environment: "live" })
    expect(key.secret).toMatch(/^svc_live_/)
  })

  it("is 409 while it is pending or after it is verified, and changes nothing", async () => {
    const { id, owner, target } = await unverified(world)
    dataOf(await send(world, owner, "POST", target, submission))
    for (const kyb_status of ["pending", "verified"]) {
      await world.operator.change(id, { kyb_status })
      const before = (await world.operator.call("GET", `${root}/${id}`)).text
      const other = { ...submission, registration_number: "RC 9" }
      const refused = await send(world, owner, "POST", target, other)
      expectFailure(refused, "409 conflict", `is ${kyb_status} already`)
      expect((await world.operator.call("GET", `${root}/${id}`)).text).toBe(before)
    }
  })

  it("of ten concurrent submissions one succeeds", async () => {
    const { owner, target } = await unverified(world)
    const all = await Promise.all(Array.from({ length: 10 }, () => send(world, owner, "POST", target, submission)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...new Array<number>(9).fill(409)])
  })

  it("a rejection needs a note with the reason", async () => {
    const { id } = await unverified(world)
    expectFailure(await review(id, { kyb_status: "rejected" }), "400 invalid_parameter", "review_note: rejecting")
    expectFailure(
      await review(id, { kyb_status: "rejected", review_note: " " }),
      "400 invalid_parameter",
      "review_note"
    )
    expect(dataOf(await world.operator.call("GET", `${root}/${id}`))).toMatchObject({ kyb_status: "unverified" })
  })

  it("its fields are checked", async () => {
    const { owner, target } = await unverified(world)
    const longest = { business_name: 200, registration_number: 100, note: 2_000 }
    for (const [name, length] of Object.entries(longest)) {
      for (const value of ["", "  ", "a\u0000b", "x".repeat(length + 1), null, 1]) {
        const received = await send(world, owner, "POST", target, { ...submission, [name]: value })
        expectFailure(received, "400 invalid_parameter", `${name}: expected`)
      }
    }
    expectFailure(await send(world, owner, "POST", target, { business_name: "A" }), "400 invalid_parameter", "required")
  })

  it("the audit log has the actor, the action and the reason, and no registration number", async () => {
    const { id, owner, target } = await unverified(world)
    dataOf(await send(world, owner, "POST", target, submission))
    dataOf(await review(id, { kyb_status: "rejected", review_note: "unreadable" }))
    const received = await world.operator.call("GET", url("/v1/admin/audit", { organization_id: id, limit: 2 }))
    const { events } = dataOf<{ readonly events: ReadonlyArray<Fields> }>(received)
    expect(events).toMatchObject([
      { action: "organization.updated", details: { kyb_status: "rejected", review_note: "unreadable" } },
      {
        actor: owner.id,
        action: "organization.kyb_submitted",
        subject: id,
        details: { business_name: submission.business_name }
      }
    ])
    expect(received.text).not.toContain("1234567")
  })
}

const renaming = (world: World): void => {
  it("is changed by an owner, other fields of the body are refused, and the audit log has the change", async () => {
    const { id, owner } = await unverified(world)
    const before = dataOf<Fields>(await world.operator.call("GET", `${root}/${id}`))
    const body = { name: " Renamed Parcels " }
    for (const field of [{ granted_level: 5 }, { kyb_status: "verified" }]) {
      const received = await send(world, owner, "PUT", `${root}/${id}/name`, { ...body, ...field })
      expectFailure(received, "400 invalid_body", "unknown field")
    }
    const renamed = dataOf(await send(world, owner, "PUT", `${root}/${id}/name`, body))
    expect(renamed).toEqual({ ...before, name: "Renamed Parcels" })
    expect(dataOf(await world.operator.call("GET", `${root}/${id}`))).toEqual(renamed)
    const received = await world.operator.call("GET", url("/v1/admin/audit", { organization_id: id, limit: 1 }))
    expect(dataOf<{ readonly events: ReadonlyArray<Fields> }>(received).events).toMatchObject([
      { actor: owner.id, action: "organization.updated", details: { name: "Renamed Parcels" } }
    ])
    for (const name of ["", "x".repeat(201), null]) {
      expectFailure(await send(world, owner, "PUT", `${root}/${id}/name`, { name }), "400 invalid_parameter", "name")
    }
    expectFailure(await send(world, owner, "PATCH", `${root}/${id}`, { name: "x" }), "403 insufficient_scope")
  })
}

const waiting = (world: World): void => {
  const idsOf = async (target: string, plural: string): Promise<ReadonlyArray<string>> =>
    (await world.operator.walk<Identified>(target, plural, 7)).items.map(({ id }) => id)

  it("organizations are found by status and part of the name, longest waiting first", async () => {
    const mark = `Mark${Date.now().toString(36)}`
    const make = (name: string, kyb_status: "pending" | "verified") =>
      world.operator.organization({ name: `${name} ${mark}`, kyb_status })
    const [first, verified, second] = [
      await make("\u1eb8\u0300k\u1ecd\u0301", "pending"),
      await make("Eko", "verified"),
      await make("EKO", "pending")
    ]
    const find = (query: Readonly<Record<string, string>>) => idsOf(url(root, query), "organizations")
    const name = `eko ${mark.toLowerCase()}`
    expect(await find({ name })).toEqual([second, verified, first])
    expect(await find({ name, order: "newest" })).toEqual([second, verified, first])
    expect(await find({ name, order: "oldest", kyb_status: "pending" })).toEqual([first, second])
    const pending = await find({ order: "oldest", kyb_status: "pending" })
    expect(pending.filter((id) => id === first || id === second)).toEqual([first, second])
    expect(pending).not.toContain(verified)
    await world.operator.call("POST", `${root}/${second}/suspend`, { reason: "for a test" })
    expect(await find({ name, status: "suspended" })).toEqual([second])
    expect(await find({ name, status: "active", order: "oldest" })).toEqual([first, verified])
    expect(await find({ name, status: "closed" })).toEqual([])
  })

  it("access requests are found by status and organization, longest waiting first", async () => {
    const id = await world.operator.organization({ granted_level: 1 })
    const made: Array<string> = []
    for (const level of [2, 3, 4]) {
      const asked = await world.operator.call("POST", `${root}/${id}/access-requests`, { level, reason: "a reason" })
      made.push(dataOf<Identified>(asked).id)
    }
    const [first = "", ...pending] = made
    await world.operator.call("POST", `/v1/admin/access-requests/${first}/decision`, {
      decision: "rejected",
      note: "no"
    })
    const find = (query: Readonly<Record<string, string>>) =>
      idsOf(url("/v1/admin/access-requests", query), "access_requests")
    expect(await find({ organization_id: id })).toEqual(made.toReversed())
    expect(await find({ organization_id: id, order: "oldest" })).toEqual(made)
    expect(await find({ organization_id: id, order: "oldest", status: "pending" })).toEqual(pending)
    expect(await find({ organization_id: id, status: "rejected" })).toEqual([first])
    const all = await find({ status: "pending", order: "oldest" })
    expect(all.filter((one) => made.includes(one))).toEqual(pending)
    expect(await find({ organization_id: "org_none" })).toEqual([])
  })

  it("a cursor is valid only for its order", async () => {
    for (let i = 0; i < 2; i++) await world.operator.organization()
    const first = await world.operator.call("GET", url(root, { limit: 1, order: "oldest" }))
    const { next_cursor } = dataOf<{ readonly next_cursor: string }>(first)
    const received = await world.operator.call("GET", url(root, { limit: 1, cursor: next_cursor }))
    expectFailure(received, "400 invalid_parameter", "cursor: expected the next_cursor")
  })
}

const filteredForMembers = (world: World): void => {
  it("no filter shows a member anything of another organization", async () => {
    const own = await world.operator.organization({ granted_level: 1, kyb_status: "pending", name: "Own" })
    const other = await world.operator.organization({ granted_level: 1, kyb_status: "pending", name: "Other" })
    await world.operator.call("POST", `${root}/${other}/access-requests`, { level: 2, reason: "theirs" })
    const { headers } = await world.operator.account("owner", own)
    const targets = [
      url(root, { kyb_status: "pending", order: "oldest", limit: 100 }),
      url(root, { name: "Other" }),
      url(root, { status: "active", limit: 100 }),
      url("/v1/admin/access-requests", { organization_id: other }),
      url("/v1/admin/access-requests", { status: "pending", order: "oldest", limit: 100 }),
      url("/v1/admin/audit", { organization_id: other, subject: other }),
      url("/v1/admin/audit", { subject: other }),
      url("/v1/admin/audit", { actor: "operator", action: "access_request.created", limit: 100 }),
      url("/v1/admin/audit", { from: "2020-01-01T00:00:00Z", to: "2099-01-01T00:00:00Z", limit: 100 })
    ]
    for (const target of targets) {
      const received = await world.client.get(target, { headers })
      expect(outcomeOf(received)).toBe("200")
      expect(received.text, target).not.toContain(other)
    }
    const mine = await world.client.get(url(root, { kyb_status: "pending", name: "own" }), { headers })
    expect(mine.text).toContain(own)
    const none = await world.client.get(url(root, { kyb_status: "verified" }), { headers })
    expect(dataOf(none)).toEqual({ organizations: [], next_cursor: null })
  })
}

const auditFilters = (world: World): void => {
  const read = async (query: Readonly<Record<string, string>>): Promise<ReadonlyArray<Fields>> =>
    dataOf<{ readonly events: ReadonlyArray<Fields> }>(
      await world.operator.call("GET", url("/v1/admin/audit", { limit: 100, ...query }))
    ).events

  it("finds by actor, by target, and by several actions", async () => {
    const { id, owner, target } = await unverified(world)
    dataOf(await send(world, owner, "POST", target, submission))
    dataOf(await send(world, owner, "PUT", `${root}/${id}/name`, { name: "Renamed" }))
    const by = await read({ actor: owner.id, organization_id: id })
    expect(by.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["organization.updated", "organization.kyb_submitted"])
    )
    expect(by.every(({ actor }) => actor === owner.id)).toBe(true)
    const action = "organization.created,organization.kyb_submitted,access_request.decided"
    const about = await read({ subject: id, action })
    expect(about.map(({ action }) => action)).toEqual(["organization.kyb_submitted", "organization.created"])
    const { items, pages } = await world.operator.walk(url("/v1/admin/audit", { subject: id, action }), "events", 1)
    expect(items).toEqual(about)
    expect(pages).toBe(2)
  })

  it("finds from a start time and before an end time", async () => {
    const id = await world.operator.organization()
    await world.operator.grant(id, 1, "test", "first")
    const [newest] = await read({ organization_id: id })
    const at = String(newest?.at)
    const later = new Date(Date.parse(at) + 1).toISOString()
    const all = await read({ organization_id: id })
    expect(await read({ organization_id: id, from: at })).toEqual(all.filter((event) => String(event.at) >= at))
    expect(await read({ organization_id: id, to: at })).toEqual(all.filter((event) => String(event.at) < at))
    expect(await read({ organization_id: id, from: later })).toEqual([])
    expect(await read({ organization_id: id, to: later })).toEqual(all)
    expect(await read({ organization_id: id, from: later, to: at })).toEqual([])
  })

  it("filters are validated", async () => {
    const wrong = [
      ["from", "2026-01-31"],
      ["to", "yesterday"],
      ["from", "2026-02-30T00:00:00Z"],
      ["from", "0000-01-01T00:00:00Z"],
      ["action", "key.created,"],
      ["action", "key.created, key.revoked"],
      ["action", "key.stolen"]
    ] as const
    for (const [name, value] of wrong) {
      const received = await world.operator.call("GET", url("/v1/admin/audit", { [name]: value }))
      expectFailure(received, "400 invalid_parameter", `${name}: expected`)
    }
  })
}
