/** Logins of devices: a program gets a management key once an account agrees. */
import { describe, expect, it } from "vitest"
import { json, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Received, timestamp } from "../Received.ts"

const path = "/v1/admin/device-logins"

interface Started {
  readonly device_code: string
  readonly user_code: string
}
interface State {
  readonly status: string
  readonly management_key?: { readonly id: string; readonly secret: string; readonly role: string }
}
type Headers = Readonly<Record<string, string>>

export const deviceLogins = (world: World): void => {
  describe("the login of a device", () => {
    decisions(world)
    permissions(world)
    codes(world)
    guesses(world)
    ownKeys(world)
  })
}

const send = (world: World, target: string, body: object, headers: Headers = {}): Promise<Received> =>
  world.client.send({ method: "POST", target, ...json(body, { headers }) })

const start = async (world: World, machine = "ada-laptop"): Promise<Started> => {
  world.client.newVisitor()
  return dataOf(await send(world, path, { machine }))
}

const poll = async (world: World, device_code: string): Promise<State> =>
  dataOf(await send(world, `${path}/token`, { device_code }))

const approve = (world: World, organization_id: string, user_code: string, headers: Headers) =>
  send(world, `/v1/admin/organizations/${organization_id}/device-logins`, { user_code }, headers)

const decisions = (world: World): void => {
  it("an account agrees, and the device gets a key with its role, once; the audit log names the account", async () => {
    const organization_id = await world.operator.organization()
    const account = await world.operator.account("developer", organization_id)
    const started = await start(world)
    expect(started).toEqual({
      device_code: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: "/console/#/device",
      verification_uri_complete: `/console/#/device?code=${started.user_code}`,
      expires_in: 600,
      interval: 5
    })
    expect(await poll(world, started.device_code)).toEqual({ status: "authorization_pending" })
    expect(await poll(world, started.device_code)).toEqual({ status: "slow_down" })
    const typed = started.user_code.toLowerCase().replace("-", "")
    const found = await send(world, `${path}/find`, { user_code: typed }, account.headers)
    expect(dataOf(found)).toEqual({ machine: "ada-laptop", created_at: timestamp, expires_at: timestamp })
    const agreed = await approve(world, organization_id, started.user_code, account.headers)
    expect(dataOf(agreed)).toEqual({ machine: "ada-laptop" })
    const { management_key, status } = await poll(world, started.device_code)
    expect(status).toBe("approved")
    expect(management_key).toEqual({
      id: expect.stringMatching(/^mgk_/),
      organization_id,
      name: "Command line on ada-laptop",
      role: "developer",
      expires_at: timestamp,
      secret: expect.stringMatching(/^svc_mk_/)
    })
    expect(await poll(world, started.device_code)).toEqual({ status: "expired_token" })
    const headers = { authorization: `Bearer ${management_key?.secret}` }
    expect(dataOf(await world.client.get("/v1/admin/whoami", { headers }))).toMatchObject({
      credential: "management_key",
      role: "developer",
      organization_id
    })
    const listed = await world.operator.call("GET", `/v1/admin/organizations/${organization_id}/management-keys`)
    expect(dataOf(listed)).toMatchObject({
      management_keys: [{ id: management_key?.id, name: "Command line on ada-laptop", created_by: account.id }]
    })
    const audit = await world.operator.call("GET", url("/v1/admin/audit", { organization_id }))
    expect(dataOf<{ events: ReadonlyArray<object> }>(audit).events[0]).toMatchObject({
      action: "management_key.created",
      actor: account.id
    })
    for (const { text } of [listed, audit]) {
      for (const secret of [started.device_code, started.user_code, management_key?.secret ?? ""]) {
        expect(text).not.toContain(secret)
      }
    }
  })

  it("an account refuses, and the device is told once", async () => {
    const organization_id = await world.operator.organization()
    const { headers } = await world.operator.account("owner", organization_id)
    const { device_code, user_code } = await start(world)
    dataOf(await send(world, `${path}/deny`, { user_code }, headers))
    expectFailure(await approve(world, organization_id, user_code, headers), "404 not_found", "no login waits")
    expect(await poll(world, device_code)).toEqual({ status: "access_denied" })
    expect(await poll(world, device_code)).toEqual({ status: "expired_token" })
  })
}

const permissions = (world: World): void => {
  it("an account agrees for its own organizations alone, with its own role; operators and management keys do not", async () => {
    const [mine, other] = [await world.operator.organization(), await world.operator.organization()]
    const billing = await world.operator.account("billing", mine)
    const { device_code, user_code } = await start(world)
    expectFailure(await approve(world, other, user_code, billing.headers), "404 not_found", "organization")
    const operator = await world.operator.account("operator", mine)
    expectFailure(await approve(world, mine, user_code, operator.headers), "403 insufficient_scope")
    const { secret } = await world.operator.managementKey("owner", mine)
    const bearer = { authorization: `Bearer ${secret}` }
    expectFailure(await approve(world, mine, user_code, bearer), "403 insufficient_scope")
    expectFailure(await approve(world, mine, user_code, {}), "401 auth_required")
    dataOf(await approve(world, mine, user_code, billing.headers))
    expect((await poll(world, device_code)).management_key?.role).toBe("billing")
  })

  it("an account that is removed between its agreement and the key gives none", async () => {
    const organization_id = await world.operator.organization()
    const account = await world.operator.account("developer", organization_id)
    const { device_code, user_code } = await start(world)
    dataOf(await approve(world, organization_id, user_code, account.headers))
    await world.operator.call("DELETE", `/v1/admin/organizations/${organization_id}/members/${account.id}`)
    expect((await poll(world, device_code)).status).toBe("access_denied")
  })
}

const codes = (world: World): void => {
  it("unknown and used codes get the same answer, byte for byte, and malformed ones are 400", async () => {
    const organization_id = await world.operator.organization()
    const { headers } = await world.operator.account("owner", organization_id)
    const { device_code, user_code } = await start(world)
    dataOf(await approve(world, organization_id, user_code, headers))
    const used = await send(world, `${path}/find`, { user_code }, headers)
    const unknown = await send(world, `${path}/find`, { user_code: "BCDF-GHJK" }, headers)
    expectFailure(used, "404 not_found", "no login waits with this code")
    expect(unknown.text).toBe(used.text)
    await poll(world, device_code)
    expect((await send(world, `${path}/find`, { user_code }, headers)).text).toBe(used.text)
    for (const bad of ["", "BCDF", "BCDF-GHJK-LMNP", "BCDF GHJK", "1234-5678", "BCDF\u2010GHJK"]) {
      const refused = await send(world, `${path}/find`, { user_code: bad }, headers)
      expectFailure(refused, "400 invalid_parameter", "WDJB-MJHT")
    }
    expect(await poll(world, "A".repeat(43))).toEqual({ status: "expired_token" })
    expectFailure(await send(world, `${path}/token`, { device_code: "short" }), "400 invalid_parameter", "device_code")
    for (const machine of ["", "x".repeat(81), "a\u202eb", "\u200b"]) {
      expectFailure(await send(world, path, { machine }), "400 invalid_parameter", "machine")
    }
  })
}

const guesses = (world: World): void => {
  it("an account that guesses codes is limited, also from many addresses", async () => {
    const organization_id = await world.operator.organization()
    const { headers } = await world.operator.account("developer", organization_id)
    const outcomes: Array<number> = []
    for (let i = 0; i < 80; i++) {
      world.client.newVisitor()
      outcomes.push((await send(world, `${path}/find`, { user_code: "BCDF-GHJK" }, headers)).status)
    }
    expect(outcomes[0]).toBe(404)
    expect(outcomes.at(-1)).toBe(429)
  })

  it("one address starts at most 30 logins a minute", async () => {
    world.client.newVisitor()
    const outcomes: Array<number> = []
    for (let i = 0; i < 31; i++) outcomes.push((await send(world, path, { machine: "flood" })).status)
    expect(outcomes.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 201))
    expect(outcomes.at(-1)).toBe(429)
  })
}

const ownKeys = (world: World): void => {
  it("a management key of any role revokes itself, and no other", async () => {
    const organization_id = await world.operator.organization()
    for (const role of ["billing", "developer"] as const) {
      const [key, other] = [
        await world.operator.managementKey(role, organization_id),
        await world.operator.managementKey(role, organization_id)
      ]
      const headers = { authorization: `Bearer ${key.secret}` }
      const remove = (id: string) =>
        world.client.send({ method: "DELETE", target: `/v1/admin/management-keys/${id}`, headers })
      expectFailure(await remove(other.id), "403 insufficient_scope")
      expect(dataOf(await remove(key.id))).toMatchObject({ id: key.id })
      expectFailure(await remove(key.id), "401 invalid_token", "revoked")
    }
  })
}
