/** Suspended and closed organizations: what their keys, sessions and members get. */
import { Units } from "@postcode/gateway/directory/Units"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestKey } from "../../world/Operator.ts"
import { json, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { endpoints } from "../Contract.ts"
import { dataOf, expectFailure, outcomeOf } from "../Received.ts"
import { makeScene, sampleMessage } from "../Samples.ts"

const suspended = "403 organization_suspended"
const lookup = url("/v1/lookup", { code: postcodes.full, level: 2 })

interface Organization {
  readonly id: string
  readonly status: string
  readonly status_reason?: string
  readonly status_changed_at?: string
}

export const suspension = (world: World): void => {
  describe("a suspended organization", () => {
    keysAndSessions(world)
    charges(world)
    members(world)
  })
  describe("the status of an organization", () => changes(world))
  describe("a closed organization", () => closing(world))
}

const change = (world: World, id: string, to: "close" | "resume" | "suspend", reason = "unpaid invoices") =>
  world.operator.call("POST", `/v1/admin/organizations/${id}/${to}`, { reason })

const keysAndSessions = (world: World): void => {
  const withKey = endpoints.filter(({ path }) => !path.startsWith("/v1/admin"))
  it.each(withKey.map(({ operation }) => operation))("its keys are refused: %s", async (operation) => {
    const scene = await makeScene(world.operator)
    await world.operator.suspend(scene.organization)
    const { token, ...message } = sampleMessage(operation, scene)
    for (const key of [scene.secret, scene.publishable]) {
      expectFailure(await world.client.send({ ...message, key }), suspended, "suspended")
    }
    if (token !== undefined) expectFailure(await world.client.send({ ...message, token }), suspended, "suspended")
  })

  it("its keys and sessions work again as they were once it is resumed", async () => {
    const scene = await makeScene(world.operator)
    await world.operator.suspend(scene.organization)
    expect(outcomeOf(await world.client.get(lookup, { key: scene.secret }))).toBe(suspended)
    await world.operator.resume(scene.organization)
    for (const key of [scene.secret, scene.publishable]) {
      expect(outcomeOf(await world.client.get(lookup, { key }))).toBe(
        key === scene.secret ? "200" : "403 level_not_granted"
      )
    }
    expect(outcomeOf(await world.client.get("/v1/widget/bookmarks", { token: scene.session }))).toBe("200")
  })

  it("other organizations are not affected", async () => {
    const [one, other] = [await world.operator.key(), await world.operator.key()]
    await world.operator.suspend(one.organization_id)
    expect(outcomeOf(await world.client.get(lookup, { key: other.secret }))).toBe("200")
  })

  it("refused requests count under the address, and are in the usage of the key", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 1 })
    await world.operator.suspend(key.organization_id)
    for (let i = 0; i < 3; i++) {
      const received = await world.client.get(lookup, { key: key.secret })
      expect(outcomeOf(received)).toBe(suspended)
      expect(received.headers["x-ratelimit-limit"]).not.toBe("1")
    }
    await expect
      .poll(async () => {
        const target = `/v1/admin/organizations/${key.organization_id}/usage?environment=test&by=status`
        return dataOf<{ readonly usage: unknown }>(await world.operator.call("GET", target)).usage
      })
      .toEqual([expect.objectContaining({ status: 403, requests: 3, credits: 0 })])
  })

  it("another replica refuses its keys and sessions as well", async () => {
    const key = await world.operator.key({ kind: "publishable", max_level: 2 })
    const token = await world.operator.session(key)
    const { client } = await world.serveAnother()
    expect(outcomeOf(await client.get(lookup, { key: key.secret }))).toBe("200")
    await world.operator.suspend(key.organization_id)
    await expect.poll(async () => outcomeOf(await client.get(lookup, { key: key.secret }))).toBe(suspended)
    await expect.poll(async () => outcomeOf(await client.get("/v1/widget/bookmarks", { token }))).toBe(suspended)
  })
}

const charges = (world: World): void => {
  it("a suspension between the check of the key and the charge: 403, and nothing is charged", async () => {
    const key = await world.operator.keyWithCredits(100)
    const { client } = await world.serveAnother({}, (effect) =>
      Effect.gen(function* () {
        const units = yield* Units
        const organizations = yield* Organizations
        const status = {
          status: "suspended",
          status_reason: "late",
          status_changed_at: new Date().toISOString()
        } as const
        const suspend = Effect.orDie(organizations.changeStatus(key.organization_id, status))
        const attributes: typeof units.attributes = (codes, directory) =>
          Effect.andThen(
            suspend,
            Effect.suspend(() => units.attributes(codes, directory))
          )
        return yield* Effect.provideService(effect, Units, { ...units, attributes })
      })
    )
    expectFailure(await client.get(lookup, { key: key.secret }), suspended, "suspended")
    const { balance, entries } = await world.operator.statement(key.organization_id, "live")
    expect({ balance, entries: entries.length }).toEqual({ balance: 100, entries: 1 })
  })
}

const members = (world: World): void => {
  it("its members sign in, read, and see the reason", async () => {
    const scene = await makeScene(world.operator)
    const owner = await world.operator.account("owner", scene.organization)
    dataOf(await change(world, scene.organization, "suspend"))
    const { email, headers, password } = owner
    const { cookie: _, ...fromPage } = headers
    expect(
      outcomeOf(await world.client.post("/v1/admin/account/sign-in", { email, password }, { headers: fromPage }))
    ).toBe("200")
    const shown = await world.client.get(`/v1/admin/organizations/${scene.organization}`, { headers })
    expect(dataOf<Organization>(shown)).toMatchObject({ status: "suspended", status_reason: "unpaid invoices" })
    const organization = `/v1/admin/organizations/${scene.organization}`
    for (const target of [
      `${organization}/keys`,
      `${organization}/credits?environment=test`,
      `${organization}/usage?environment=test`,
      `${organization}/members`,
      `${organization}/webhooks`,
      `${organization}/widget`,
      `/v1/admin/keys/${scene.key}`,
      "/v1/admin/audit",
      "/v1/admin/account"
    ]) {
      expect(outcomeOf(await world.client.get(target, { headers })), target).toBe("200")
    }
  })

  it("its members change only their own account, and a role that may not make a call still gets 403", async () => {
    const scene = await makeScene(world.operator)
    const owner = await world.operator.account("owner", scene.organization)
    const developer = await world.operator.account("developer", scene.organization)
    dataOf(await change(world, scene.organization, "suspend"))
    const { organization } = scene
    const changing = [
      ["POST", `/v1/admin/organizations/${organization}/keys`],
      ["DELETE", `/v1/admin/keys/${scene.key}`],
      ["POST", `/v1/admin/keys/${scene.key}/rotate`],
      ["PUT", `/v1/admin/organizations/${organization}/name`],
      ["POST", `/v1/admin/organizations/${organization}/webhooks`],
      ["PUT", `/v1/admin/organizations/${organization}/credits/threshold`],
      ["POST", `/v1/admin/organizations/${organization}/invitations`]
    ] as const
    for (const [method, target] of changing) {
      const message = { method, target, ...json({ name: "changed" }, { headers: owner.headers }) }
      expectFailure(await world.client.send(message), suspended, "members may read")
    }
    const renamed = json({ name: "Renamed" }, { headers: owner.headers })
    expect(outcomeOf(await world.client.send({ method: "PATCH", target: "/v1/admin/account", ...renamed }))).toBe("200")
    for (const [kind, headers] of [["resume", owner.headers] as const, ["close", developer.headers] as const]) {
      const target = `/v1/admin/organizations/${organization}/${kind}`
      const received = await world.client.post(target, { reason: "ours" }, { headers })
      expectFailure(received, "403 insufficient_scope", "an operator")
    }
    // An operator can still manage it.
    expect(outcomeOf(await world.operator.call("DELETE", `/v1/admin/keys/${scene.key}`))).toBe("200")
  })
}

const changes = (world: World): void => {
  it("is active at first, and shows what was changed last, when and why; each change is audited once", async () => {
    const id = await world.operator.organization()
    const show = async () => dataOf<Organization>(await world.operator.call("GET", `/v1/admin/organizations/${id}`))
    const first = await show()
    expect(first.status).toBe("active")
    expect(first).not.toHaveProperty("status_reason")
    for (const [to, status] of [
      ["suspend", "suspended"],
      ["resume", "active"],
      ["suspend", "suspended"],
      ["close", "closed"]
    ] as const) {
      const changed = dataOf<Organization>(await change(world, id, to, `to ${status}`))
      expect(changed).toMatchObject({ status, status_reason: `to ${status}`, status_changed_at: expect.any(String) })
      const again = dataOf<Organization>(await change(world, id, to, "another reason"))
      expect(again).toEqual(changed)
      expect(changed).toMatchObject({ ...(await show()) })
    }
    const target = `/v1/admin/audit?organization_id=${id}&limit=5`
    const { events } = dataOf<{
      readonly events: ReadonlyArray<{ readonly action: string; readonly details: object }>
    }>(await world.operator.call("GET", target))
    expect(events.slice(0, 4).map(({ action, details }) => [action, details])).toEqual([
      ["organization.closed", { reason: "to closed", revoked_keys: 0 }],
      ["organization.suspended", { reason: "to suspended" }],
      ["organization.resumed", { reason: "to active" }],
      ["organization.suspended", { reason: "to suspended" }]
    ])
  })

  it("changes with a reason only", async () => {
    const id = await world.operator.organization()
    for (const to of ["suspend", "resume", "close"]) {
      for (const body of [{}, { reason: " " }]) {
        const received = await world.operator.call("POST", `/v1/admin/organizations/${id}/${to}`, body)
        expectFailure(received, "400 invalid_parameter", "reason: ")
      }
    }
  })
}

const closing = (world: World): void => {
  /** An organization with two keys, a session and selections of two end users and of a visitor. */
  const open = async (): Promise<{ readonly key: TestKey; readonly token: string; readonly id: string }> => {
    const key = await world.operator.key({ kind: "publishable" })
    await world.operator.key({ organization_id: key.organization_id })
    const tokens = [
      await world.operator.session(key, "one@example.com"),
      await world.operator.session(key, "two@example.com")
    ]
    const visitor = await world.client.post("/v1/widget/session", {}, { key: key.secret })
    tokens.push(dataOf<{ readonly token: string }>(visitor).token)
    for (const token of tokens) {
      dataOf(await world.client.post("/v1/widget/selected", { postcode: postcodes.full }, { token }))
    }
    return { key, token: tokens[0] as string, id: key.organization_id }
  }

  it("must be suspended before: 409, and nothing changes", async () => {
    const key = await world.operator.key()
    expectFailure(await change(world, key.organization_id, "close"), "409 conflict", "suspend it before")
    expect(outcomeOf(await world.client.get(lookup, { key: key.secret }))).toBe("200")
  })

  it("stays closed: it is neither resumed nor suspended, and gets no keys", async () => {
    const id = await world.operator.organization()
    await world.operator.suspend(id)
    dataOf(await change(world, id, "close"))
    for (const to of ["resume", "suspend"] as const) {
      expectFailure(await change(world, id, to), "409 conflict", "closed, which is final")
    }
    const body = { name: "late", kind: "secret", environment: "test", scopes: ["lookup"], max_level: 1 }
    const received = await world.operator.call("POST", `/v1/admin/organizations/${id}/keys`, body)
    expectFailure(received, "409 conflict", "closed, which is final")
  })

  it("has no active key, no session, and no hashed identifier in its selections; a repeated call removes nothing", async () => {
    const { id, key, token } = await open()
    await world.operator.suspend(id)
    expect(dataOf(await change(world, id, "close"))).toMatchObject({ revoked_keys: 2, anonymized_selections: 2 })
    expect(dataOf(await change(world, id, "close"))).toMatchObject({ revoked_keys: 0, anonymized_selections: 0 })
    await expect
      .poll(async () => outcomeOf(await world.client.get(lookup, { key: key.secret })))
      .toBe("401 invalid_api_key")
    await expect
      .poll(async () => outcomeOf(await world.client.get("/v1/widget/bookmarks", { token })))
      .toBe("401 invalid_token")
  })

  it("keeps its ledger, usage, keys without secrets and audit log, which its members still read", async () => {
    const { id } = await open()
    const { headers } = await world.operator.account("owner", id)
    await world.operator.suspend(id)
    dataOf(await change(world, id, "close"))
    const organization = `/v1/admin/organizations/${id}`
    const { keys } = dataOf<{ readonly keys: ReadonlyArray<{ readonly status: string }> }>(
      await world.client.get(`${organization}/keys`, { headers })
    )
    expect(keys.map(({ status }) => status)).toEqual(["revoked", "revoked"])
    const { text } = await world.client.get(`${organization}/credits?environment=test`, { headers })
    expect(text).toContain("widget_session")
    expect((await world.client.get("/v1/admin/audit", { headers })).text).toContain("organization.closed")
    const renamed = { method: "PUT", target: `${organization}/name`, ...json({ name: "changed" }, { headers }) }
    expectFailure(await world.client.send(renamed), suspended, "is closed")
  })
}
