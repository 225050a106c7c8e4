/**
 * An account that loses permissions keeps none by what it created before: management keys are revoked with the change
 * that lowers the account, and an organization's open invitations are bounded.
 */
import { type MemberRole, memberRoles } from "@postcode/gateway/ManagementAccess"
import { describe, expect, it } from "vitest"
import { newEmail, type TestAccount, type TestKey } from "../../world/Operator.ts"
import { json } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, errorOf, expectFailure, outcomeOf, type Received, timestamp } from "../Received.ts"

export const lostPermissions = (world: World): void => {
  describe("an account that loses permissions", () => {
    managementKeys(world)
    creationRaces(world)
  })
  describe("the open invitations of an organization", () => openInvitations(world))
  describe("a management key with limits", () => limitedKeys(world))
}

const whoAmI = ({ client }: World, token: string, address?: string): Promise<Received> =>
  client.get("/v1/admin/whoami", { token, ...(address !== undefined && { address }) })

/** A management key that an account creates. */
const keyBy = async (
  { client }: World,
  { headers }: Pick<TestAccount, "headers">,
  organization_id: string,
  role: MemberRole
): Promise<TestKey> => {
  const target = `/v1/admin/organizations/${organization_id}/management-keys`
  return dataOf<TestKey>(await client.post(target, { name: role, role }, { headers }))
}

const keysBy = async (world: World, account: TestAccount, organization_id: string) => {
  const keys: Array<readonly [MemberRole, TestKey]> = []
  for (const role of memberRoles) keys.push([role, await keyBy(world, account, organization_id, role)])
  return keys
}

/** The audit events of revoked management keys, oldest first. */
const revocationsIn = async ({ operator }: World, organization_id: string) => {
  const target = `/v1/admin/audit?organization_id=${organization_id}&action=management_key.revoked`
  const { events } = dataOf<{ readonly events: ReadonlyArray<object> }>(await operator.call("GET", target))
  return events.toReversed()
}

/** The roles of the keys that still work on each of two replicas. */
const workingOf = async (world: World, keys: ReadonlyArray<readonly [MemberRole, TestKey]>) => {
  const working: Array<MemberRole> = []
  for (const [role, { secret }] of keys) {
    const outcome = outcomeOf(await whoAmI(world, secret))
    if (outcome === "200") working.push(role)
    else expect(outcome).toBe("401 invalid_token")
  }
  return working
}

const managementKeys = (world: World): void => {
  const changes = [
    ["removed", undefined, []],
    ["made a developer", "developer", ["developer"]],
    ["made a billing member", "billing", ["billing"]]
  ] as const

  it.each(changes)("higher management keys of an owner are revoked: %s", async (_, role, left) => {
    const organization_id = await world.operator.organization()
    const first = await world.operator.account("owner", organization_id)
    const second = await world.operator.account("owner", organization_id)
    const lowered = await keysBy(world, second, organization_id)
    const others = await keysBy(world, first, organization_id)
    const target = `/v1/admin/organizations/${organization_id}/members/${second.id}`
    const message =
      role === undefined
        ? { method: "DELETE", target, headers: first.headers }
        : { method: "PATCH", target, ...json({ role }, { headers: first.headers }) }
    dataOf(await world.client.send(message))
    expect(await workingOf(world, lowered)).toEqual(left)
    expect(await workingOf(world, others)).toEqual(memberRoles)
    const revoked = lowered.filter(([of]) => !(left as ReadonlyArray<MemberRole>).includes(of))
    const events = await revocationsIn(world, organization_id)
    expect(events).toHaveLength(revoked.length)
    expect(events).toEqual(
      expect.arrayContaining(
        revoked.map(([, { id, secret }]) =>
          expect.objectContaining({
            actor: first.id,
            subject: id,
            organization_id,
            details: { prefix: secret.slice(0, 11), account: second.id }
          })
        )
      )
    )
  })

  it("the removal of an operator revokes its management keys of all organizations", async () => {
    await world.operator.account("operator")
    const account = await world.operator.account("operator")
    const organizations = [await world.operator.organization(), await world.operator.organization()]
    const keys: Array<readonly [MemberRole, TestKey]> = []
    for (const id of organizations) keys.push(...(await keysBy(world, account, id)))
    dataOf(await world.operator.call("DELETE", `/v1/admin/accounts/${account.id}`))
    expect(await workingOf(world, keys)).toEqual([])
    for (const id of organizations) expect(await revocationsIn(world, id)).toHaveLength(memberRoles.length)
  })

  it("a higher role, or the same, revokes nothing", async () => {
    const organization_id = await world.operator.organization()
    await world.operator.account("owner", organization_id)
    const { id, ...account } = await world.operator.account("owner", organization_id)
    const keys = await keysBy(world, { id, ...account }, organization_id)
    dataOf(
      await world.operator.call("PATCH", `/v1/admin/organizations/${organization_id}/members/${id}`, { role: "owner" })
    )
    expect(await workingOf(world, keys)).toEqual(memberRoles)
    dataOf(
      await world.operator.call("PATCH", `/v1/admin/organizations/${organization_id}/members/${id}`, {
        role: "developer"
      })
    )
    dataOf(
      await world.operator.call("PATCH", `/v1/admin/organizations/${organization_id}/members/${id}`, { role: "owner" })
    )
    expect(await workingOf(world, keys)).toEqual(["developer"])
  })
}

const creationRaces = (world: World): void => {
  it("leaves no management key that it was creating", async () => {
    const organization_id = await world.operator.organization()
    await world.operator.account("owner", organization_id)
    for (let round = 0; round < 4; round++) {
      const owner = await world.operator.account("owner", organization_id)
      const target = `/v1/admin/organizations/${organization_id}/management-keys`
      const create = () =>
        world.client.post(target, { name: "late", role: "owner" }, { headers: owner.headers, address: "192.0.2.77" })
      const remove = () => world.operator.call("DELETE", `/v1/admin/accounts/${owner.id}`)
      const [one, two, removed, three] = await Promise.all([create(), create(), remove(), create()])
      dataOf(removed)
      for (const created of [one, two, three]) {
        if (created.status === 201) {
          expectFailure(await whoAmI(world, dataOf<TestKey>(created).secret), "401 invalid_token")
        } else expectFailure(created, "401 invalid_token")
      }
    }
  })
}

const openInvitations = (world: World): void => {
  const invite = (organization_id: string) =>
    world.operator.call("POST", `/v1/admin/organizations/${organization_id}/invitations`, {
      role: "billing",
      email: newEmail()
    })

  // A busy database refuses some of 53 requests at once.
  it("are at most 50, also with concurrent requests; withdrawn and accepted ones do not count", {
    retry: 2
  }, async () => {
    const organization_id = await world.operator.organization()
    const invited = await Promise.all(Array.from({ length: 53 }, () => invite(organization_id)))
    const outcomes = invited.map(outcomeOf).toSorted()
    expect(outcomes).toEqual([...Array(50).fill("201"), ...Array(3).fill("409 conflict")])
    const refused = await invite(organization_id)
    expectFailure(refused, "409 conflict", "the organization has 50 open invitations")
    expect(errorOf(refused).message).toContain("withdraw")
    expect(outcomeOf(await invite(await world.operator.organization()))).toBe("201")
    const open = invited.filter(({ status }) => status === 201)
    const { id } = dataOf<{ readonly id: string }>(open[0] as Received)
    dataOf(await world.operator.call("DELETE", `/v1/admin/invitations/${id}`))
    expect(outcomeOf(await invite(organization_id))).toBe("201")
    expect(outcomeOf(await invite(organization_id))).toBe("409 conflict")
  })
}

const limitedKeys = (world: World): void => {
  const create = (organization_id: string, fields: Readonly<Record<string, unknown>>) =>
    world.operator.call("POST", `/v1/admin/organizations/${organization_id}/management-keys`, {
      name: "limited",
      role: "owner",
      ...fields
    })

  it("works until its expiry, and is then 401 with a message that it has expired", async () => {
    const organization_id = await world.operator.organization()
    const expires_at = new Date(Date.now() + 1_500).toISOString()
    const made = dataOf<TestKey>(await create(organization_id, { expires_at }))
    expect(made).toMatchObject({ expires_at, status: "active", allowed_ips: [] })
    const { client } = await world.serveAnother()
    const later = dataOf<TestKey>(await create(organization_id, { expires_at: "2035-01-31T12:00:00Z" }))
    expect(outcomeOf(await whoAmI(world, later.secret))).toBe("200")
    await expect
      .poll(async () => errorOf(await whoAmI(world, made.secret))?.message, { timeout: 10_000 })
      .toBe("the management key has expired: create a new one")
    expectFailure(await client.get("/v1/admin/whoami", { token: made.secret }), "401 invalid_token", "has expired")
    const listed = await world.operator.call("GET", `/v1/admin/organizations/${organization_id}/management-keys`)
    expect(dataOf(listed)).toMatchObject({
      management_keys: [
        { id: later.id, status: "active" },
        { id: made.id, status: "expired", expires_at, created_at: timestamp }
      ]
    })
  })

  it("an address in its list passes, any other is 403 address_not_allowed on every endpoint", async () => {
    const organization_id = await world.operator.organization()
    const allowed_ips = ["203.0.113.7", "2001:DB8::/32"]
    const made = dataOf<TestKey>(await create(organization_id, { allowed_ips }))
    expect(made).toMatchObject({ allowed_ips: ["203.0.113.7", "2001:db8::/32"] })
    for (const address of ["203.0.113.7", "::ffff:203.0.113.7", "2001:db8:1::9"]) {
      expect(outcomeOf(await whoAmI(world, made.secret, address))).toBe("200")
    }
    for (const address of ["203.0.113.8", "2001:db9::1", "203.0.113.7, 198.51.100.1"]) {
      const received = await whoAmI(world, made.secret, address)
      expectFailure(received, "403 address_not_allowed", address.split(", ").at(-1) as string)
      expect(errorOf(received).message).not.toContain("add it")
      const target = `/v1/admin/organizations/${organization_id}`
      expectFailure(await world.client.get(target, { token: made.secret, address }), "403 address_not_allowed")
    }
  })

  it.each([
    ["expires_at", "2020-01-31T12:00:00Z"],
    ["expires_at", "2099-01-31T12:00:00Z"],
    ["expires_at", "tomorrow"],
    ["allowed_ips", ["10.0.0.7/8"]],
    ["allowed_ips", "192.0.2.1"],
    ["allowed_ips", Array(51).fill("192.0.2.1")]
  ])("%s: %j → 400, as for an API key", async (field, value) => {
    const organization_id = await world.operator.organization()
    expectFailure(await create(organization_id, { [field]: value }), "400 invalid_parameter", `${field}`)
  })
}
