/** Logins of devices: a program gets a management key once an account agrees, by the device flow of OAuth 2.0 (RFC 8628). */
import { deviceGrant } from "@postcode/gateway/accounts/deviceLogins/DeviceLogin"
import { maxManagementKeys } from "@postcode/gateway/accounts/managementKeys/ManagementKey"
import { describe, expect, it } from "vitest"
import { form, json, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, jsonOf, type Received, timestamp } from "../Received.ts"

const path = "/v1/admin/device-logins"
const client_id = "postcode-cli"

interface Started {
  readonly device_code: string
  readonly user_code: string
}
interface Token {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
}
type Headers = Readonly<Record<string, string>>

export const deviceLogins = (world: World): void => {
  describe("the login of a device", () => {
    decisions(world)
    manyMachines(world)
    permissions(world)
    codes(world)
    guesses(world)
    ownKeys(world)
  })
}

const send = (world: World, target: string, body: object, headers: Headers = {}): Promise<Received> =>
  world.client.send({ method: "POST", target, ...json(body, { headers }) })

const sendForm = (world: World, target: string, fields: Readonly<Record<string, string>>): Promise<Received> =>
  world.client.send({ method: "POST", target: `/v1/oauth/${target}`, ...form(fields) })

const start = async (world: World, machine = "ada-laptop"): Promise<Started> => {
  world.client.newVisitor()
  return jsonOf(await sendForm(world, "device_authorization", { client_id, machine })) as Started
}

const poll = (world: World, device_code: string): Promise<Received> =>
  sendForm(world, "token", { client_id, grant_type: deviceGrant, device_code })

const tokenOf = (received: Received): Token => {
  expect(received.status, received.text).toBe(200)
  return jsonOf(received) as Token
}

const approve = (world: World, organization_id: string, user_code: string, headers: Headers) =>
  send(world, `/v1/admin/organizations/${organization_id}/device-logins`, { user_code }, headers)

/** The whole login of a machine by an account. */
const logIn = async (world: World, organization_id: string, headers: Headers, machine?: string): Promise<Received> => {
  const { device_code, user_code } = await start(world, machine)
  dataOf(await approve(world, organization_id, user_code, headers))
  return poll(world, device_code)
}

const whoAmI = (world: World, { access_token }: Token) =>
  world.client.get("/v1/admin/whoami", { headers: { authorization: `Bearer ${access_token}` } })

const decisions = (world: World): void => {
  it("an account agrees, and the device gets a key with its role, once; the audit log names the account", async () => {
    const organization_id = await world.operator.organization()
    const account = await world.operator.account("developer", organization_id)
    const started = await start(world)
    const page = `http://127.0.0.1:${world.client.port}/console/#/device`
    expect(started).toEqual({
      device_code: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: page,
      verification_uri_complete: `${page}?code=${started.user_code}`,
      expires_in: 600,
      interval: 5
    })
    expectFailure(await poll(world, started.device_code), "400 authorization_pending")
    expectFailure(await poll(world, started.device_code), "400 slow_down")
    const typed = started.user_code.toLowerCase().replace("-", "")
    const found = await send(world, `${path}/find`, { user_code: typed }, account.headers)
    expect(dataOf(found)).toEqual({ machine: "ada-laptop", created_at: timestamp, expires_at: timestamp })
    const agreed = await approve(world, organization_id, started.user_code, account.headers)
    expect(dataOf(agreed)).toEqual({ machine: "ada-laptop" })
    const token = tokenOf(await poll(world, started.device_code))
    expect(token).toEqual({
      access_token: expect.stringMatching(/^svc_mk_/),
      token_type: "Bearer",
      expires_in: 90 * 86_400,
      scope: "developer"
    })
    expectFailure(await poll(world, started.device_code), "400 invalid_grant")
    expect(dataOf(await whoAmI(world, token))).toMatchObject({
      credential: "management_key",
      role: "developer",
      organization_id
    })
    const listed = await world.operator.call("GET", `/v1/admin/organizations/${organization_id}/management-keys`)
    expect(dataOf(listed)).toMatchObject({
      management_keys: [
        { name: "Login of ada-laptop", created_by: account.id, role: "developer", expires_at: timestamp }
      ]
    })
    const audit = await world.operator.call("GET", url("/v1/admin/audit", { organization_id }))
    expect(dataOf<{ events: ReadonlyArray<object> }>(audit).events[0]).toMatchObject({
      action: "management_key.created",
      actor: account.id
    })
    for (const { text } of [listed, audit]) {
      for (const secret of [started.device_code, started.user_code, token.access_token]) {
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
    expectFailure(await poll(world, device_code), "400 access_denied")
    expectFailure(await poll(world, device_code), "400 invalid_grant")
  })
}

const manyMachines = (world: World): void => {
  it("a login of the same machine and account replaces its former key, and no other", async () => {
    const organization_id = await world.operator.organization()
    const [ada, bisi] = [
      await world.operator.account("developer", organization_id),
      await world.operator.account("developer", organization_id)
    ]
    const login = async (headers: Headers, machine: string) =>
      tokenOf(await logIn(world, organization_id, headers, machine))
    const former = await login(ada.headers, "laptop")
    const others = [await login(ada.headers, "desktop"), await login(bisi.headers, "laptop")]
    const present = await login(ada.headers, "laptop")
    expectFailure(await whoAmI(world, former), "401 invalid_token", "revoked")
    for (const token of [...others, present]) dataOf(await whoAmI(world, token))
    const audit = await world.operator.call("GET", url("/v1/admin/audit", { organization_id, limit: 2 }))
    const { events } = dataOf<{ events: ReadonlyArray<{ action: string; actor: string }> }>(audit)
    expect(events.map(({ action }) => action).sort()).toEqual(["management_key.created", "management_key.revoked"])
    for (const { actor } of events) expect(actor).toBe(ada.id)
  })

  it(`everybody logs in: each account has ${maxManagementKeys} machines of its own, and the next one is told why`, async () => {
    const organization_id = await world.operator.organization()
    const ada = await world.operator.account("developer", organization_id)
    const bisi = await world.operator.account("developer", organization_id)
    for (let i = 0; i < maxManagementKeys; i++) tokenOf(await logIn(world, organization_id, ada.headers, `ci-${i}`))
    const refused = await logIn(world, organization_id, ada.headers, "one-more")
    expectFailure(refused, "400 access_denied", "which is the limit")
    tokenOf(await logIn(world, organization_id, ada.headers, "ci-0"))
    tokenOf(await logIn(world, organization_id, bisi.headers, "laptop"))
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
    expect(tokenOf(await poll(world, device_code)).scope).toBe("billing")
  })

  it("an account that is removed between its agreement and the key gives none", async () => {
    const organization_id = await world.operator.organization()
    const account = await world.operator.account("developer", organization_id)
    const { device_code, user_code } = await start(world)
    dataOf(await approve(world, organization_id, user_code, account.headers))
    await world.operator.call("DELETE", `/v1/admin/organizations/${organization_id}/members/${account.id}`)
    expectFailure(await poll(world, device_code), "400 access_denied")
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
  })

  it("requests are forms of OAuth: the code belongs to its client_id, and other parameters are ignored", async () => {
    const { device_code } = await start(world)
    const fields = { client_id, grant_type: deviceGrant, device_code }
    expectFailure(await sendForm(world, "token", { ...fields, client_id: "other" }), "400 invalid_grant")
    expectFailure(await sendForm(world, "token", { ...fields, device_code: "unknown" }), "400 invalid_grant")
    const other = { ...fields, grant_type: "authorization_code" }
    expectFailure(await sendForm(world, "token", other), "400 unsupported_grant_type", deviceGrant)
    for (const name of Object.keys(fields)) {
      expectFailure(await sendForm(world, "token", { ...fields, [name]: "" }), "400 invalid_request", name)
    }
    const twice = form(fields)
    const target = "/v1/oauth/token"
    const repeated = await world.client.send({
      method: "POST",
      target,
      ...twice,
      body: `${twice.body}&client_id=other`
    })
    expectFailure(repeated, "400 invalid_request", "client_id: sent more than once")
    expectFailure(await send(world, target, fields), "415 unsupported_media_type", "x-www-form-urlencoded")
    const received = await sendForm(world, "token", { ...fields, scope: "owner", resource: "https://other.example" })
    expectFailure(received, "400 authorization_pending")
    expect(received.headers["cache-control"]).toBe("no-store")
    for (const machine of ["x".repeat(81), "a\u202eb", "\u200b"]) {
      const refused = await sendForm(world, "device_authorization", { client_id, machine })
      expectFailure(refused, "400 invalid_request", "machine")
    }
    for (const name of ["", "a b", "x".repeat(81), "caf\u00e9"]) {
      const refused = await sendForm(world, "device_authorization", { client_id: name })
      expectFailure(refused, "400 invalid_request", "client_id")
    }
  })

  it("libraries for OAuth find the calls at a path of the standard", async () => {
    const target = "/.well-known/oauth-authorization-server"
    const described = (issuer: string) => ({
      issuer,
      device_authorization_endpoint: `${issuer}/v1/oauth/device_authorization`,
      token_endpoint: `${issuer}/v1/oauth/token`,
      grant_types_supported: [deviceGrant],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ["none"]
    })
    const received = await world.client.get(target)
    expect(jsonOf(received)).toEqual(described(`http://127.0.0.1:${world.client.port}`))
    // It depends on the host, so no cache may give it to others.
    expect(received.headers["cache-control"]).toBe("no-store")
    const { client } = await world.serveAnother({ publicOrigin: "https://postcode.example" })
    expect(jsonOf(await client.get(target))).toEqual(described("https://postcode.example"))
  })

  it("a program that names no machine is shown by its client_id", async () => {
    const organization_id = await world.operator.organization()
    const { headers } = await world.operator.account("owner", organization_id)
    world.client.newVisitor()
    const started = jsonOf(await sendForm(world, "device_authorization", { client_id: "backup-tool" })) as Started
    const found = await send(world, `${path}/find`, { user_code: started.user_code }, headers)
    expect(dataOf(found)).toMatchObject({ machine: "backup-tool" })
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
    for (let i = 0; i < 31; i++) outcomes.push((await sendForm(world, "device_authorization", { client_id })).status)
    expect(outcomes.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200))
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
