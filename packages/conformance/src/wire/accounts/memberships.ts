/** An account of several organizations: how it joins them, acts in each, and leaves. */
import { describe, expect, it } from "vitest"
import type { TestAccount } from "../../world/Operator.ts"
import { json } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Received } from "../Received.ts"

const own = "/v1/admin/account"

export const memberships = (world: World): void => {
  describe("an account of several organizations", () => {
    joining(world)
    acting(world)
    leaving(world)
  })
}

interface Someone {
  readonly person: TestAccount
  /** The organization in which the person is an owner. */
  readonly first: string
  /** The organization in which the person is a billing member. */
  readonly second: string
}

const join = ({ client }: World, { headers }: TestAccount, token: string): Promise<Received> =>
  client.post(`${own}/join`, { token }, { headers })

const memberOfTwo = async (world: World): Promise<Someone> => {
  const [first, second] = [await world.operator.organization(), await world.operator.organization({ name: "Second" })]
  const person = await world.operator.account("owner", first)
  const { token } = await world.operator.invitation("billing", second, person.email)
  dataOf(await join(world, person, token))
  return { person, first, second }
}

const joining = (world: World): void => {
  it("joins with an invitation to its address, and keeps its role in the other", async () => {
    const { first, person, second } = await memberOfTwo(world)
    const account = dataOf(await world.client.get(own, { headers: person.headers }))
    expect(account).toMatchObject({
      is_operator: false,
      memberships: [
        { organization_id: first, role: "owner" },
        { organization_id: second, role: "billing" }
      ]
    })
    const listed = dataOf(await world.client.get(`${own}/organizations`, { headers: person.headers }))
    expect(listed).toMatchObject({
      organizations: [
        { organization_id: first, organization_name: "Test", status: "active", role: "owner" },
        { organization_id: second, organization_name: "Second", status: "active", role: "billing" }
      ]
    })
    const members = await world.operator.call("GET", `/v1/admin/organizations/${second}/members`)
    expect(dataOf(members)).toMatchObject({ accounts: [{ id: person.id, organization_id: second, role: "billing" }] })
    expect(members.text).not.toContain(first)
  })

  it("cannot join with an invitation to another address, twice, or with an invented token", async () => {
    const { first, person, second } = await memberOfTwo(world)
    const elsewhere = await world.operator.invitation("owner", await world.operator.organization())
    expectFailure(await join(world, person, elsewhere.token), "409 conflict", "another address")
    for (const organization of [first, second]) {
      const { token } = await world.operator.invitation("owner", organization, person.email)
      expectFailure(await join(world, person, token), "409 conflict", "already")
    }
    expectFailure(await join(world, person, "x".repeat(43)), "401 invalid_token")
    expectFailure(
      await world.client.post(`${own}/join`, { token: elsewhere.token }, { headers: {} }),
      "401 auth_required"
    )
  })

  it("has an entry in the log of the organization that it joins, and its sign-in in the logs of both", async () => {
    const { first, person, second } = await memberOfTwo(world)
    const { email, password } = person
    const { host, origin } = person.headers as { readonly host: string; readonly origin: string }
    dataOf(await world.client.post(`${own}/sign-in`, { email, password }, { headers: { host, origin } }))
    const actionsIn = async (organization: string) => {
      const log = await world.operator.call("GET", `/v1/admin/audit?organization_id=${organization}&actor=${person.id}`)
      const { events } = dataOf<{ readonly events: ReadonlyArray<{ readonly action: string }> }>(log)
      return events.map(({ action }) => action)
    }
    expect(await actionsIn(first)).toEqual(["account.signed_in", "account.created"])
    expect(await actionsIn(second)).toEqual(["account.signed_in", "account.joined"])
  })
}

const acting = (world: World): void => {
  it("acts in the organization of the path, with its role there", async () => {
    const { first, person, second } = await memberOfTwo(world)
    const { headers } = person
    const create = (organization: string) =>
      world.client.post(`/v1/admin/organizations/${organization}/invitations`, invitation, { headers })
    const invitation = { role: "billing", email: "late@people.example" }
    expect((await create(first)).status).toBe(201)
    expectFailure(await create(second), "403 insufficient_scope", "the role billing may not do this")
    expect(
      (await world.client.get(`/v1/admin/organizations/${second}/credits?environment=test`, { headers })).status
    ).toBe(200)
    const foreign = await create(await world.operator.organization())
    expectFailure(foreign, "404 not_found")
    expect(foreign.text).toBe((await create("org_none")).text)
  })

  it("acts elsewhere in the organization of the header, and without one only on itself", async () => {
    const { first, person, second } = await memberOfTwo(world)
    const key = await world.operator.key({ organization_id: first })
    const get = (target: string, organization?: string) =>
      world.client.get(target, {
        headers: { ...person.headers, ...(organization !== undefined && { "x-organization": organization }) }
      })
    expect((await get(`/v1/admin/keys/${key.id}`, first)).status).toBe(200)
    expectFailure(await get(`/v1/admin/keys/${key.id}`, second), "403 insufficient_scope", "the role billing")
    expectFailure(await get(`/v1/admin/keys/${key.id}`), "403 insufficient_scope", "X-Organization")
    for (const foreign of [await world.operator.organization(), "org_none", "", "\u00e9"]) {
      expectFailure(await get("/v1/admin/organizations", foreign), "404 not_found")
    }
    const listed = await get("/v1/admin/organizations", second)
    expect(listed.text).toContain(second)
    expect(listed.text).not.toContain(first)
    const nowhere = dataOf<object>(await get("/v1/admin/whoami"))
    expect(nowhere).toMatchObject({ credential: "console_session", actor: person.id })
    expect(Object.keys(nowhere)).not.toEqual(expect.arrayContaining(["role"]))
    expect(dataOf(await get("/v1/admin/whoami", first))).toMatchObject({ role: "owner", organization_id: first })
    expect((await get(own)).status).toBe(200)
  })

  it("is not stopped in one organization by the suspension of the other", async () => {
    const { first, person, second } = await memberOfTwo(world)
    const { headers } = person
    await world.operator.suspend(first)
    const rename = (organization: string) =>
      world.client.send({
        method: "PUT",
        target: `/v1/admin/organizations/${organization}/name`,
        ...json({ name: "Renamed" }, { headers })
      })
    expectFailure(await rename(first), "403 organization_suspended")
    const target = `/v1/admin/organizations/${second}/credits/threshold`
    const threshold = { environment: "test", threshold: 5 }
    expect((await world.client.send({ method: "PUT", target, ...json(threshold, { headers }) })).status).toBe(200)
  })
}

const leaving = (world: World): void => {
  it("leaves one and stays in the other; the last owner cannot leave", async () => {
    const { first, person, second } = await memberOfTwo(world)
    const { headers } = person
    const leave = (id: string) => world.client.send({ method: "DELETE", target: `${own}/organizations/${id}`, headers })
    expectFailure(await leave(first), "409 conflict", "last owner")
    expectFailure(await leave("org_none"), "404 not_found")
    dataOf(await leave(second))
    expectFailure(await leave(second), "404 not_found")
    const account = dataOf<{ readonly memberships: ReadonlyArray<object> }>(await world.client.get(own, { headers }))
    expect(account.memberships).toHaveLength(1)
    expectFailure(await world.client.get(`/v1/admin/organizations/${second}`, { headers }), "404 not_found")
  })

  it("an owner that removes it reaches only its own organization", async () => {
    const { first, person, second } = await memberOfTwo(world)
    const owner = await world.operator.account("owner", second)
    const remove = (organization: string) =>
      world.client.send({
        method: "DELETE",
        target: `/v1/admin/organizations/${organization}/members/${person.id}`,
        headers: owner.headers
      })
    expectFailure(await remove(first), "404 not_found")
    dataOf(await remove(second))
    expect((await world.client.get(`/v1/admin/organizations/${first}`, { headers: person.headers })).status).toBe(200)
    expectFailure(
      await world.client.send({ method: "DELETE", target: `/v1/admin/accounts/${person.id}`, headers: owner.headers }),
      "403 insufficient_scope"
    )
  })
}
