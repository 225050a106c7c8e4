/** Management keys: shown once, bound to their organization and role, audited, and refused from their revocation on. */

import {
  composeManagementKey,
  isWellFormedManagementKey
} from "@postcode/gateway/accounts/managementKeys/ManagementKey"
import { randomLength } from "@postcode/gateway/keys/ApiKey"
import { memberRoles } from "@postcode/gateway/ManagementAccess"
import { describe, expect, it } from "vitest"
import type { TestKey } from "../../world/Operator.ts"
import { json } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { endpoints } from "../Contract.ts"
import { dataOf, errorOf, expectFailure, outcomeOf, type Received, timestamp } from "../Received.ts"
import { makeScene, type Scene, sampleMessage, samples } from "../Samples.ts"

interface ListedKey {
  readonly id: string
  readonly last_used_at?: string
  readonly revoked_at?: string
}

const calls = endpoints.filter(({ access }) => access === "manager")

export const managementKeys = (world: World): void => {
  describe("a management key", () => {
    creation(world)
    useOfKeys(world)
    revocation(world)
    suspension(world)
    refusals(world)
    otherOrganizations(world)
  })
}

const keysOf = async ({ operator }: World, organization_id: string): Promise<ReadonlyArray<ListedKey>> => {
  const received = await operator.call("GET", `/v1/admin/organizations/${organization_id}/management-keys`)
  return dataOf<{ readonly management_keys: ReadonlyArray<ListedKey> }>(received).management_keys
}

/** The audit events with an actor, oldest first. */
const eventsOf = async ({ operator }: World, actor: string) => {
  const received = await operator.call("GET", `/v1/admin/audit?actor=${actor}`)
  return dataOf<{ readonly events: ReadonlyArray<{ readonly action: string; readonly subject: string }> }>(
    received
  ).events.toReversed()
}

const whoAmI = ({ client }: World, token: string): Promise<Received> => client.get("/v1/admin/whoami", { token })

const creation = (world: World): void => {
  it("is shown once, to the owner who creates it, and recognized by its prefix from then on", async () => {
    const organization_id = await world.operator.organization()
    const owner = await world.operator.account("owner", organization_id)
    const target = `/v1/admin/organizations/${organization_id}/management-keys`
    const body = { name: " Back office ", role: "developer" }
    const created = await world.client.post(target, body, { headers: owner.headers })
    expect(created.status).toBe(201)
    const { secret, ...record } = dataOf<{ readonly id: string; readonly secret: string }>(created)
    expect(isWellFormedManagementKey(secret)).toBe(true)
    expect(record).toEqual({
      id: expect.stringMatching(/^mgk_\w{20}$/),
      organization_id,
      name: "Back office",
      role: "developer",
      prefix: secret.slice(0, 11),
      created_by: owner.id,
      allowed_ips: [],
      status: "active",
      created_at: timestamp
    })
    const listed = await world.client.get(target, { headers: owner.headers })
    expect(dataOf(listed)).toEqual({ management_keys: [record], next_cursor: null })
    const [event] = await eventsOf(world, `${owner.id}&action=management_key.created`)
    expect(event).toMatchObject({ subject: record.id, details: { name: "Back office", role: "developer" } })
    expect(JSON.stringify(event)).not.toContain(secret.slice(11))
  })

  it.each(["owner_key", "operator", "", "Owner"])("has the role of a member: %s is refused", async (role) => {
    const organization_id = await world.operator.organization()
    const target = `/v1/admin/organizations/${organization_id}/management-keys`
    const received = await world.operator.call("POST", target, { name: "test", role })
    expectFailure(received, "400 invalid_parameter", "role: expected one of owner, developer, billing")
  })
}

const useOfKeys = (world: World): void => {
  it("names itself, its role and its organization; the operator token and a session do so, too", async () => {
    const organization_id = await world.operator.organization({ name: "Kano Couriers" })
    const own = { organization_id, organization_name: "Kano Couriers", sends_mail: true, has_sandbox: false }
    for (const role of memberRoles) {
      const key = await world.operator.managementKey(role, organization_id)
      const described = { credential: "management_key", actor: key.id, role, ...own }
      expect(dataOf(await whoAmI(world, key.secret))).toEqual(described)
    }
    const billing = await world.operator.account("billing", organization_id)
    const session = await world.client.get("/v1/admin/whoami", { headers: billing.headers })
    const described = { credential: "console_session", actor: billing.id, role: "billing", ...own }
    expect(dataOf(session)).toEqual(described)
    const token = await world.operator.call("GET", "/v1/admin/whoami")
    expect(dataOf(token)).toEqual({
      credential: "operator_token",
      actor: "operator",
      role: "operator",
      sends_mail: true,
      has_sandbox: false
    })
  })

  it("is told the operator's style for maps, which the console shows", async () => {
    const mapStyle = "https://tiles.example/{scheme}.json"
    const { client } = await world.serveAnother({ mapStyle })
    const key = await world.operator.managementKey("developer", await world.operator.organization())
    const headers = { authorization: `Bearer ${key.secret}` }
    expect(dataOf(await client.get("/v1/admin/whoami", { headers }))).toMatchObject({ map_style: mapStyle })
  })

  it("is the actor of what is done with it, in the audit log", async () => {
    const organization_id = await world.operator.organization()
    const { id, secret: token } = await world.operator.managementKey("developer", organization_id)
    const body = { name: "made", kind: "secret", environment: "test", scopes: ["lookup"], max_level: 1 }
    const created = await world.client.post(`/v1/admin/organizations/${organization_id}/keys`, body, { token })
    const key = dataOf<TestKey>(created)
    expect(outcomeOf(await world.client.send({ method: "DELETE", target: `/v1/admin/keys/${key.id}`, token }))).toBe(
      "200"
    )
    expect(await eventsOf(world, id)).toMatchObject([
      { action: "key.created", subject: key.id, organization_id },
      { action: "key.revoked", subject: key.id, organization_id }
    ])
  })

  it("has a last use as soon as it is used", async () => {
    const organization_id = await world.operator.organization()
    const used = await world.operator.managementKey("owner", organization_id)
    const unused = await world.operator.managementKey("owner", organization_id)
    await whoAmI(world, used.secret)
    const listed = await keysOf(world, organization_id)
    expect(listed.map(({ id, last_used_at }) => [id, last_used_at])).toEqual([
      [unused.id, undefined],
      [used.id, timestamp]
    ])
  })
}

const revocation = (world: World): void => {
  it("is refused from its revocation on, which is noted once; other keys stay active", async () => {
    const organization_id = await world.operator.organization()
    const owner = await world.operator.managementKey("owner", organization_id)
    const revoked = await world.operator.managementKey("developer", organization_id)
    expect(outcomeOf(await whoAmI(world, revoked.secret))).toBe("200")
    const message = { method: "DELETE", target: `/v1/admin/management-keys/${revoked.id}`, token: owner.secret }
    const first = await world.client.send(message)
    expect(dataOf(first)).toEqual({ id: revoked.id, revoked_at: timestamp })
    expect(dataOf(await world.client.send(message))).toEqual(dataOf(first))
    expectFailure(await whoAmI(world, revoked.secret), "401 invalid_token")
    expect(outcomeOf(await whoAmI(world, owner.secret))).toBe("200")
    expect(await eventsOf(world, owner.id)).toMatchObject([{ action: "management_key.revoked", subject: revoked.id }])
    expect(await keysOf(world, organization_id)).toMatchObject([
      { id: revoked.id, revoked_at: timestamp },
      { id: owner.id }
    ])
  })

  it("can revoke itself, for a server that is taken down", async () => {
    const { id, secret: token } = await world.operator.managementKey("owner", await world.operator.organization())
    const target = `/v1/admin/management-keys/${id}`
    expect(outcomeOf(await world.client.send({ method: "DELETE", target, token }))).toBe("200")
    expectFailure(await whoAmI(world, token), "401 invalid_token")
  })
}

const suspension = (world: World): void => {
  it("reads while its organization is suspended, changes nothing, and is revoked when that is closed", async () => {
    const organization_id = await world.operator.organization()
    const { secret: token } = await world.operator.managementKey("owner", organization_id)
    const organization = `/v1/admin/organizations/${organization_id}`
    const statusTo = (change: string) => world.operator.call("POST", `${organization}/${change}`, { reason: "test" })
    dataOf(await statusTo("suspend"))
    expect(outcomeOf(await whoAmI(world, token))).toBe("200")
    expect(outcomeOf(await world.client.get(`${organization}/management-keys`, { token }))).toBe("200")
    const renamed = await world.client.send({
      method: "PUT",
      target: `${organization}/name`,
      token,
      ...json({ name: "Renamed" })
    })
    expectFailure(renamed, "403 organization_suspended")
    expect(dataOf(await statusTo("close"))).toMatchObject({ revoked_keys: 1 })
    expectFailure(await whoAmI(world, token), "401 invalid_token")
    const another = { name: "late", role: "owner" }
    expectFailure(await world.operator.call("POST", `${organization}/management-keys`, another), "409 conflict")
  })
}

const refusals = (world: World): void => {
  it("in X-API-Key is refused everywhere, and the message says where it belongs", async () => {
    const { secret } = await world.operator.managementKey("owner", await world.operator.organization())
    for (const target of ["/v1/lookup?code=LA-12-A03-BG-07&level=2", "/v1/health/live", "/v1/admin/whoami", "/none"]) {
      const received = await world.client.get(target, { key: secret })
      expectFailure(received, "401 invalid_api_key")
      expect(errorOf(received).message).toMatch(/management key.*Authorization: Bearer.*\/v1\/admin/)
      expect(received.text).not.toContain(secret.slice(7))
    }
  })

  it("that is unknown, mistyped or an API key is refused in words of its own, which repeat nothing of it", async () => {
    const key = await world.operator.key()
    const unknown = composeManagementKey("0".repeat(randomLength))
    const refused = [
      [unknown, "the management key is unknown or revoked"],
      [`${unknown.slice(0, -1)}~`, "the management key is malformed"],
      [unknown.slice(0, -1), "the management key is malformed"],
      [`${unknown}0`, "the management key is malformed"],
      [key.secret, "the management API takes no API keys"]
    ] as const
    for (const [token, message] of refused) {
      const received = await whoAmI(world, token)
      expectFailure(received, "401 invalid_token", message)
      expect(received.text).not.toContain(token.slice(9))
    }
  })

  it("counts for no widget session, and in no text that is stored", async () => {
    const { secret } = await world.operator.managementKey("owner", await world.operator.organization())
    expectFailure(await world.client.get("/v1/widget/bookmarks", { token: secret }), "401 invalid_token")
    const named = await world.operator.call("POST", "/v1/admin/organizations", { name: `of ${secret}` })
    expectFailure(named, "400 invalid_parameter", "name: expected a text without an API key")
  })

  it("creates no other management key and no invitation, with any role", async () => {
    const organization_id = await world.operator.organization()
    for (const role of memberRoles) {
      const { secret: token } = await world.operator.managementKey(role, organization_id)
      const organization = `/v1/admin/organizations/${organization_id}`
      const key = await world.client.post(`${organization}/management-keys`, { name: "more", role }, { token })
      expectFailure(key, "403 insufficient_scope")
      const invited = { role: "owner", email: "more@people.example" }
      expectFailure(
        await world.client.post(`${organization}/invitations`, invited, { token }),
        "403 insufficient_scope"
      )
    }
    expect(await keysOf(world, organization_id)).toHaveLength(memberRoles.length)
  })
}

/** Every call of the contract is sent about a scene of organization B with a key of organization A. */
const otherOrganizations = (world: World): void => {
  for (const { operation } of calls) {
    it(`of one organization sees nothing of another one: ${operation}`, async () => {
      const scene = await makeScene(world.operator, operation)
      const key = await world.operator.managementKey("owner", await world.operator.organization())
      const { query } = samples[operation]
      const { headers: _, ...message } = sampleMessage(operation, scene, {
        ...(query !== undefined && {
          query: { ...query, ...("organization_id" in query && { organization_id: scene.organization }) }
        })
      })
      const received = await world.client.send({ ...message, ...headersOf(message), token: key.secret })
      for (const id of idsOf(scene)) expect(received.text).not.toContain(id)
    })
  }
}

const headersOf = (message: { readonly body?: unknown }) =>
  message.body === undefined ? {} : { headers: { "content-type": "application/json" } }

/** All ids and secrets of a scene; those that are not made for the operation are short. */
const idsOf = ({ credential: _, person, ...ids }: Scene): ReadonlyArray<string> =>
  [...Object.values(ids), person.id].filter((id) => id.length > 20)
