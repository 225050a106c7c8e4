/** Organizations, and requests for a higher level. */
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { json, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Identified, type Received, timestamp } from "../Received.ts"

const root = "/v1/admin/organizations"

export const organizations = (world: World): void => {
  describe("organizations", () => {
    creation(world)
    changes(world)
    lists(world)
  })
  describe("access requests", () => {
    requests(world)
    decisions(world)
  })
}

/** Texts that every free-text field refuses. */
const badTexts: ReadonlyArray<unknown> = [
  "",
  "   ",
  "a\u0000b",
  "line\nbreak",
  "\u007f",
  "a\ud83d",
  "\u200b",
  "\u3164",
  "\u2800",
  "\u0301",
  "abc\u202edef",
  "a\u200bb",
  "\u2066a\u2069",
  "soft\u00adhyphen",
  "a\u200d",
  "tag\u{e0041}",
  null,
  1,
  true,
  ["a"],
  {}
]

const creation = (world: World): void => {
  it("a new one has level 1, is unverified, and starts with 1,000 test credits and no live ones", async () => {
    const created = await world.operator.call("POST", root, { name: "  Dangote Parcels  " })
    expect(created.status).toBe(201)
    const organization = dataOf<Identified>(created)
    expect(organization).toEqual({
      id: expect.stringMatching(/^org_[0-9A-Za-z]{20}$/),
      name: "Dangote Parcels",
      granted_level: 1,
      kyb_status: "unverified",
      status: "active",
      created_at: timestamp
    })
    expect(dataOf(await world.operator.call("GET", `${root}/${organization.id}`))).toEqual(organization)
    expect((await world.operator.statement(organization.id, "test")).balance).toBe(1_000)
    expect(await world.operator.statement(organization.id, "live")).toEqual({
      balance: 0,
      low_balance_threshold: null,
      buy_url: null,
      archived: null,
      entries: [],
      next_cursor: null
    })
  })

  it("its name has 1 to 200 characters, of any script, and no control characters", async () => {
    for (const name of [
      "x",
      "x".repeat(200),
      "\u1eccba & S\u1ecd\u0300ns \u2013 \u4e2d\u6587 \u{1f4ee}",
      "<b>'\"</b>",
      "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
      "\u2764\ufe0f"
    ]) {
      const created = await world.operator.call("POST", root, { name })
      expect(dataOf(created)).toMatchObject({ name })
    }
    for (const name of [...badTexts, "x".repeat(201)]) {
      expectFailure(await world.operator.call("POST", root, { name }), "400 invalid_parameter", "name: expected")
    }
    expectFailure(await world.operator.call("POST", root, {}), "400 invalid_parameter", "name: this is required")
  })

  it("with a field that only an existing one has is refused", async () => {
    for (const field of [{ granted_level: 5 }, { kyb_status: "verified" }, { id: "org_mine" }]) {
      const received = await world.operator.call("POST", root, { name: "Sly", ...field })
      expectFailure(received, "400 invalid_body", `unknown field "${Object.keys(field)}"`)
    }
  })
}

const changes = (world: World): void => {
  const patch = async (body: unknown, id?: string): Promise<Received> =>
    world.operator.call("PATCH", `${root}/${id ?? (await world.operator.organization({ granted_level: 1 }))}`, body)

  it("each field can be changed alone, and the others stay", async () => {
    const id = await world.operator.organization({ granted_level: 1, kyb_status: "unverified", name: "First" })
    const expected: Record<string, unknown> = { id, name: "First", granted_level: 1, kyb_status: "unverified" }
    for (const change of [
      { name: "Second" },
      { granted_level: 3 },
      { kyb_status: "pending" },
      { kyb_status: "verified" },
      { review_note: "seen" },
      { rate_limit_per_minute: 60 },
      { granted_level: 2, kyb_status: "rejected", name: "Third", review_note: "not any more" },
      {}
    ]) {
      Object.assign(expected, change)
      expect(dataOf(await patch(change, id))).toMatchObject(expected)
    }
    expect(dataOf(await world.operator.call("GET", `${root}/${id}`))).toMatchObject(expected)
  })

  it("rate_limit_per_minute null restores the default limit; the audit log has both changes", async () => {
    const id = await world.operator.organization()
    const before = dataOf(await world.operator.call("GET", `${root}/${id}`))
    expect(dataOf(await patch({ rate_limit_per_minute: 60 }, id))).toMatchObject({ rate_limit_per_minute: 60 })
    expect(dataOf(await patch({ rate_limit_per_minute: null }, id))).toEqual(before)
    const target = url("/v1/admin/audit", { organization_id: id, action: "organization.updated", limit: 2 })
    expect(dataOf(await world.operator.call("GET", target))).toMatchObject({
      events: [{ details: { rate_limit_per_minute: "default" } }, { details: { rate_limit_per_minute: 60 } }]
    })
  })

  it("a member sees the limit of the organization and may not change it", async () => {
    const id = await world.operator.organization()
    await patch({ rate_limit_per_minute: 60 }, id)
    const { headers } = await world.operator.account("owner", id)
    const target = `${root}/${id}`
    const seen = await world.client.get(target, { headers })
    expect(dataOf(seen)).toMatchObject({ rate_limit_per_minute: 60 })
    const body = json({ rate_limit_per_minute: 1_000_000 })
    const refused = await world.client.send({
      method: "PATCH",
      target,
      ...body,
      headers: { ...headers, ...body.headers }
    })
    expectFailure(refused, "403 insufficient_scope")
  })

  it("level 5 is granted only with a review_note", async () => {
    expectFailure(await patch({ granted_level: 5 }), "400 invalid_parameter", "review_note")
    expectFailure(await patch({ granted_level: 5, review_note: "  " }), "400 invalid_parameter", "review_note")
    const granted = await patch({ granted_level: 5, review_note: "emergency services" })
    expect(dataOf(granted)).toMatchObject({ granted_level: 5, review_note: "emergency services" })
  })

  it("review_note, and the note of an approval, are for operators and owners", async () => {
    const id = await world.operator.organization({ granted_level: 1 })
    const note = "seen by few"
    const asked = await world.operator.call("POST", `${root}/${id}/access-requests`, { level: 2, reason: "for a test" })
    const request = dataOf<Identified>(asked).id
    const decision = { decision: "approved", note }
    dataOf(await world.operator.call("POST", `/v1/admin/access-requests/${request}/decision`, decision))
    for (const role of ["owner", "developer", "billing"] as const) {
      const { headers } = await world.operator.account(role, id)
      const { secret: token } = await world.operator.managementKey(role, id)
      for (const target of [root, `${root}/${id}`, "/v1/admin/access-requests"]) {
        if (role === "billing" && target.endsWith("access-requests")) continue
        for (const credential of [{ headers }, { token }]) {
          const received = await world.client.get(target, credential)
          dataOf(received)
          expect(received.text.includes(note)).toBe(role === "owner")
        }
      }
    }
  })

  const refused: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
    ["name", [...badTexts, "x".repeat(201)]],
    ["granted_level", [0, 6, 1.5, -1, "2", null, true, [1], {}]],
    ["kyb_status", ["", "Verified", "unknown", null, 1, ["verified"]]],
    ["rate_limit_per_minute", [0, -1, 1.5, 1_000_001, "60", true, [60], {}]],
    ["review_note", [...badTexts, "x".repeat(2_001)]]
  ]
  it.each(refused)("%s: any other value is 400 and named, and nothing changes", async (name, values) => {
    const id = await world.operator.organization({ granted_level: 2 })
    const before = dataOf(await world.operator.call("GET", `${root}/${id}`))
    for (const value of values) {
      const received = await patch({ name: "Changed", [name]: value }, id)
      expectFailure(received, "400 invalid_parameter", `${name}: expected`)
    }
    expect(dataOf(await world.operator.call("GET", `${root}/${id}`))).toEqual(before)
  })
}

const lists = (world: World): void => {
  it("the pages of the list have each item exactly once, newest first", async () => {
    const made: Array<string> = []
    for (let i = 0; i < 7; i++) made.push(await world.operator.organization())
    for (const limit of [3, 50]) {
      const { items } = await world.operator.walk<Identified>(root, "organizations", limit)
      const ids = items.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => made.includes(id))).toEqual(made.toReversed())
    }
  })

  it("items created between pages neither repeat nor hide other items", async () => {
    const made: Array<string> = []
    for (let i = 0; i < 4; i++) made.push(await world.operator.organization())
    const seen: Array<string> = []
    let cursor: string | null = ""
    while (cursor !== null && seen.length < 4) {
      const target = url(root, { limit: 1, ...(cursor !== "" && { cursor }) })
      const page: { readonly organizations: ReadonlyArray<Identified>; readonly next_cursor: string | null } = dataOf(
        await world.operator.call("GET", target)
      )
      seen.push(...page.organizations.map(({ id }) => id))
      cursor = page.next_cursor
      await world.operator.organization()
    }
    expect(seen).toEqual(made.toReversed())
  })

  it("limit is 1 to 100 and 20 by default", async () => {
    for (let i = 0; i < 21; i++) await world.operator.call("POST", root, { name: `Fill ${i}` })
    const page = dataOf<{ organizations: ReadonlyArray<unknown>; next_cursor: string | null }>(
      await world.operator.call("GET", root)
    )
    expect(page.organizations).toHaveLength(20)
    expect(page.next_cursor).toEqual(expect.any(String))
    for (const limit of ["0", "101", "-1", "1.5", "all"]) {
      const received = await world.operator.call("GET", url(root, { limit }))
      expectFailure(received, "400 invalid_parameter", "limit: expected a whole number from 1 to 100")
    }
  })

  const listed = ["/v1/admin/organizations", "/v1/admin/access-requests", "/v1/admin/audit"]
  it.each(listed)("%s: a cursor that no page gave is 400", async (target) => {
    for (const cursor of ["x", "-1", "0", "a b", "'; drop table", "..", "x".repeat(65), "MTIz"]) {
      const received = await world.operator.call("GET", url(target, { cursor }))
      expectFailure(received, "400 invalid_parameter", "cursor: expected the next_cursor")
    }
  })
}

const requests = (world: World): void => {
  const ask = (id: string, body: unknown) => world.operator.call("POST", `${root}/${id}/access-requests`, body)

  it("a new one is pending, and first in the list", async () => {
    const id = await world.operator.organization({ granted_level: 1 })
    const created = await ask(id, { level: 3, reason: "deliveries to offices" })
    expect(created.status).toBe(201)
    const request = dataOf(created)
    expect(request).toEqual({
      id: expect.stringMatching(/^acr_[0-9A-Za-z]{20}$/),
      organization_id: id,
      level: 3,
      reason: "deliveries to offices",
      status: "pending",
      created_at: timestamp
    })
    const list = dataOf<{ access_requests: ReadonlyArray<unknown> }>(
      await world.operator.call("GET", "/v1/admin/access-requests?limit=1")
    )
    expect(list.access_requests).toEqual([request])
  })

  it("a level that is already granted is 409, and so is a second request for the same level", async () => {
    const id = await world.operator.organization({ granted_level: 2 })
    expectFailure(await ask(id, { level: 2, reason: "again" }), "409 conflict")
    expectFailure(await ask(id, { level: 1, reason: "less" }), "409 conflict")
    expect((await ask(id, { level: 3, reason: "more" })).status).toBe(201)
    expectFailure(await ask(id, { level: 3, reason: "more" }), "409 conflict")
    expect((await ask(id, { level: 4, reason: "even more" })).status).toBe(201)
  })

  it("level and reason are checked", async () => {
    const id = await world.operator.organization({ granted_level: 1 })
    for (const level of [0, 6, 2.5, "2", null]) {
      expectFailure(await ask(id, { level, reason: "a" }), "400 invalid_parameter", "level: expected")
    }
    for (const reason of [...badTexts, "x".repeat(2_001)]) {
      expectFailure(await ask(id, { level: 2, reason }), "400 invalid_parameter", "reason: expected")
    }
  })

  it("the pages of the list have each item exactly once", async () => {
    const id = await world.operator.organization({ granted_level: 1 })
    const made: Array<string> = []
    for (const level of [2, 3, 4, 5]) made.push(dataOf<Identified>(await ask(id, { level, reason: "walk" })).id)
    const { items } = await world.operator.walk<Identified>("/v1/admin/access-requests", "access_requests", 2)
    const ids = items.map((item) => item.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((item) => made.includes(item))).toEqual(made.toReversed())
  })
}

const decisions = (world: World): void => {
  const pending = async (granted_level: 1 | 2 | 4, level: number) => {
    const organization_id = await world.operator.organization({ granted_level })
    const target = `${root}/${organization_id}/access-requests`
    const { id } = dataOf<Identified>(await world.operator.call("POST", target, { level, reason: "a reason" }))
    return { organization_id, id }
  }
  const decide = (id: string, body: unknown) =>
    world.operator.call("POST", `/v1/admin/access-requests/${id}/decision`, body)

  it("an approval raises the grant, and a key of that level works at once", async () => {
    const { id, organization_id } = await pending(1, 4)
    const decided = await decide(id, { decision: "approved", note: "contract 17" })
    expect(dataOf(decided)).toMatchObject({ id, status: "approved", note: "contract 17", decided_at: timestamp })
    expect(dataOf(await world.operator.call("GET", `${root}/${organization_id}`))).toMatchObject({
      granted_level: 4,
      review_note: "contract 17"
    })
    const key = await world.operator.key({ organization_id, max_level: 4 })
    const received = await world.client.get(url("/v1/lookup", { code: postcodes.full, level: 4 }), { key: key.secret })
    expect(dataOf(received)).toHaveProperty("other_building_info")
  })

  it("a rejection does not change the grant", async () => {
    const { id, organization_id } = await pending(2, 4)
    expect(dataOf(await decide(id, { decision: "rejected", note: "no" }))).toMatchObject({ status: "rejected" })
    expect(dataOf(await world.operator.call("GET", `${root}/${organization_id}`))).toMatchObject({ granted_level: 2 })
  })

  it("an approval never lowers a grant that was raised meanwhile", async () => {
    const { id, organization_id } = await pending(1, 3)
    await world.operator.change(organization_id, { granted_level: 4 })
    await decide(id, { decision: "approved", note: "late" })
    expect(dataOf(await world.operator.call("GET", `${root}/${organization_id}`))).toMatchObject({ granted_level: 4 })
  })

  it("a second decision is 409, approval or rejection; a new request may follow", async () => {
    for (const decision of ["approved", "rejected"]) {
      const { id, organization_id } = await pending(1, 2)
      await decide(id, { decision: "rejected", note: "first" })
      expectFailure(await decide(id, { decision, note: "second" }), "409 conflict")
      const again = await world.operator.call("POST", `${root}/${organization_id}/access-requests`, {
        level: 2,
        reason: "once more"
      })
      expect(again.status).toBe(201)
    }
  })

  it("of ten decisions at once one counts, and nine are 409", async () => {
    const { id } = await pending(1, 5)
    const body = { decision: "approved", note: "at once" }
    const all = await Promise.all(Array.from({ length: 10 }, () => decide(id, body)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...new Array<number>(9).fill(409)])
  })

  it("decision and note are checked", async () => {
    const { id } = await pending(1, 2)
    for (const decision of ["", "yes", "pending", "Approved", null, 1]) {
      const received = await decide(id, { decision, note: "a" })
      expectFailure(received, "400 invalid_parameter", "decision: expected one of approved, rejected")
    }
    for (const note of badTexts) {
      expectFailure(await decide(id, { decision: "approved", note }), "400 invalid_parameter", "note: expected")
    }
    expectFailure(await decide(id, { decision: "approved" }), "400 invalid_parameter", "note: this is required")
  })
}
