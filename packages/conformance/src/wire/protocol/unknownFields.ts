/**
 * Unknown fields of bodies: the management API refuses them, since a misspelled restriction would be ignored; gateway and
 * widget ignore them, for published clients.
 */
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { operatorToken } from "../../world/OperatorToken.ts"
import type { Message } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { type Endpoint, endpoints, type ObjectPath } from "../Contract.ts"
import { dataOf, errorOf, expectFailure, type Received } from "../Received.ts"
import { makeScene, preparePerson, sampleMessage } from "../Samples.ts"

export const unknownFields = (world: World): void => {
  describe("an unknown field in a body", () => {
    everyEndpoint(world)
    hints(world)
    names(world)
  })
  describe("a field of a key that cannot be changed", () => fixedFields(world))
}

const everyEndpoint = (world: World): void => {
  for (const endpoint of endpoints.filter(({ hasBody }) => hasBody)) {
    const { bodyObjects, operation, path, successStatus } = endpoint
    const isStrict = path.startsWith("/v1/admin/")
    it(`${isStrict ? "is 400 and named" : "is ignored"}, in each object: ${operation}`, async () => {
      expect(bodyObjects.length).toBeGreaterThan(0)
      for (const object of bodyObjects) {
        const received = await world.client.send(await messageWith(world, endpoint, object))
        if (isStrict) expectFailure(received, "400 invalid_body", 'unknown field "no_such_field"', placeOf(object))
        else expect(received.status, received.text).toBe(successStatus)
      }
    })
  }
}

/** The sample of an operation, with an unknown field in one of its objects. */
const messageWith = async (world: World, { isOAuth, operation }: Endpoint, object: ObjectPath): Promise<Message> => {
  const scene = await makeScene(world.operator, operation)
  const message = sampleMessage(operation, {
    ...scene,
    ...(await preparePerson(world.operator, operation, scene.person))
  })
  if (isOAuth) return { ...message, body: `${message.body}&no_such_field=true` }
  const body = withField(JSON.parse(String(message.body)), object)
  return { ...message, body: JSON.stringify(body) }
}

const withField = (value: unknown, [step, ...rest]: ObjectPath): unknown => {
  if (step === undefined) return { ...(value as object), no_such_field: true }
  if (typeof step === "number") {
    const [first, ...others] = (value ?? []) as ReadonlyArray<unknown>
    return [withField(first, rest), ...others]
  }
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>
  return { ...fields, [step]: withField(fields[step], rest) }
}

const placeOf = (object: ObjectPath): string =>
  object.reduce<string>(
    (path, step) => (typeof step === "number" ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`),
    ""
  )

interface ListedKey {
  readonly id: string
}

const keysOf = async (world: World, organization: string): Promise<ReadonlyArray<ListedKey>> =>
  dataOf<{ readonly keys: ReadonlyArray<ListedKey> }>(
    await world.operator.call("GET", `/v1/admin/organizations/${organization}/keys`)
  ).keys

const newKey = { name: "Test", kind: "secret", environment: "test", scopes: ["search"], max_level: 1 }

const hints = (world: World): void => {
  it.each([
    ["expires", "expires_at"],
    ["allowed_ip", "allowed_ips"],
    ["allowedIps", "allowed_ips"],
    ["daily_credits_limit", "daily_credit_limit"],
    ["rate_limit", "rate_limit_per_minute"],
    ["origin", "origins"],
    ["maxlevel", "max_level"]
  ])("%s is refused with the nearest known name, and no key is created", async (name, known) => {
    const organization = await world.operator.organization()
    const created = await world.operator.call("POST", `/v1/admin/organizations/${organization}/keys`, {
      ...newKey,
      [name]: ["203.0.113.7"]
    })
    expectFailure(created, "400 invalid_body")
    expect(errorOf(created).message).toBe(`unknown field "${name}"; did you mean "${known}"?`)
    expect(await keysOf(world, organization)).toEqual([])
  })

  it("without a similar known name, all known names are listed", async () => {
    const key = await world.operator.key()
    const changed = await world.operator.call("PATCH", `/v1/admin/keys/${key.id}`, { name: "New", quota: 1 })
    expectFailure(changed, "400 invalid_body")
    expect(errorOf(changed).message).toBe(
      'unknown field "quota"; expected only "name", "origins", "allowed_ips", "rate_limit_per_minute", "daily_credit_limit"'
    )
    expect(await keysOf(world, key.organization_id)).toMatchObject([{ name: "test" }])
  })

  it("in an object within the body, the message names the object", async () => {
    const change = { change: "set", postcode: postcodes.full, attributes: { building_tpye: "x" } }
    const body = { reason: "test", reference: "test", changes: [change] }
    const received = await world.operator.call("POST", "/v1/admin/directory/changes", body)
    expectFailure(received, "400 invalid_body")
    expect(errorOf(received).message).toBe(
      'unknown field "building_tpye" in changes[0].attributes; did you mean "building_type"?'
    )
  })
}

const names = (world: World): void => {
  const send = async (name: string): Promise<Received> => {
    const key = await world.operator.key()
    return world.operator.call("PATCH", `/v1/admin/keys/${key.id}`, { [name]: 1 })
  }

  it.each([
    ["a key", "svc_live_0123456789abcdefABCDEF0123456789abcdef"],
    ["an email address", "ada@example.com"],
    ["a telephone number", "+2348031234567"],
    ["a control character", "name\u0007"],
    ["a character that reverses text", "name\u202e"],
    ["nothing", ""],
    ["a quotation mark", 'name"'],
    ["41 characters", "n".repeat(41)]
  ])("with %s in its name is refused without its name", async (_, name) => {
    const received = await send(name)
    expectFailure(received, "400 invalid_body", "unknown field with another name than")
    if (name !== "") expect(received.text).not.toContain(name)
    expect(received.text).not.toMatch(/\p{Cc}|\p{Cf}/u)
  })

  it.each(["__proto__", "constructor", "toString"])("called %s is refused, too", async (name) => {
    const key = await world.operator.key()
    const received = await world.client.send({
      method: "PATCH",
      target: `/v1/admin/keys/${key.id}`,
      token: operatorToken,
      headers: { "content-type": "application/json" },
      body: `{"${name}":1}`
    })
    expectFailure(received, "400 invalid_body", "unknown field")
  })
}

const fixedFields = (world: World): void => {
  it.each([
    ["max_level", 1],
    ["scopes", ["search"]],
    ["expires_at", "2035-01-31T12:00:00Z"],
    ["kind", "publishable"],
    ["environment", "live"],
    ["status", "revoked"]
  ])("%s is 400, says what to do instead, and nothing changes", async (name, value) => {
    const key = await world.operator.key({ max_level: 2 })
    const before = await keysOf(world, key.organization_id)
    const received = await world.operator.call("PATCH", `/v1/admin/keys/${key.id}`, { name: "New", [name]: value })
    expectFailure(received, "400 invalid_body")
    expect(errorOf(received).message).toBe(
      `"${name}" cannot be changed: rotate the key, or create another one and revoke this one`
    )
    expect(await keysOf(world, key.organization_id)).toEqual(before)
  })
}
