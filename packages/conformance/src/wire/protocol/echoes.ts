/** Messages never repeat input: the tests send a canary word in every input and search all answers for it. */
import { describe, expect, it } from "vitest"
import { json, type Message, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { endpoints } from "../Contract.ts"
import { canary } from "../Conventions.ts"
import { dataOf, expectFailure, jsonOf, type Received } from "../Received.ts"
import { makeScene, type Scene, sampleMessage, samples } from "../Samples.ts"

export const echoes = (world: World): void => {
  describe("no message repeats what was sent", () => {
    for (const { bodyNames, isOAuth, operation, queryNames } of endpoints) {
      if (queryNames.length > 0) {
        it(`in a parameter of ${operation}`, async () => {
          const scene = await makeScene(world.operator, operation)
          for (const name of queryNames) {
            for (const message of spoiledQueries(operation, scene, name)) await sendWithCanary(world, message)
          }
        })
      }
      if (bodyNames.length > 0) {
        it(`in a field of the body of ${operation}`, async () => {
          const scene = await makeScene(world.operator, operation)
          for (const name of bodyNames) {
            for (const message of spoiledBodies(operation, scene, name)) {
              const received = await sendWithCanary(world, message)
              // Any text may be the name of a machine there.
              if (isOAuth) continue
              const isUnknownField = received.text.includes("unknown field")
              expectFailure(received, isUnknownField ? "400 invalid_body" : "400 invalid_parameter", name)
            }
          }
        })
      }
    }
    inPaths(world)
  })
}

/** The client searches each answer for the canary, so only the presence of a body is checked here. */
const sendWithCanary = async (world: World, message: Message): Promise<Received> => {
  world.client.newVisitor()
  const received = await world.client.send(message)
  expect(received.body.length).toBeGreaterThan(0)
  return received
}

const spoiledQueries = (operation: keyof typeof samples, scene: Scene, name: string): ReadonlyArray<Message> => {
  const query = samples[operation].query ?? {}
  const spoil = (value: string): Message => sampleMessage(operation, scene, { query: { ...query, [name]: value } })
  const whole = spoil(canary)
  return [
    whole,
    spoil(`${canary}\u0000<b>`),
    spoil(canary.repeat(200)),
    { ...whole, target: `${whole.target}&${name}=${canary}` },
    { ...whole, target: `${whole.target.replace(canary, `${canary}%ZZ`)}` }
  ]
}

const spoiledBodies = (operation: keyof typeof samples, scene: Scene, name: string): ReadonlyArray<Message> => {
  const body = samples[operation].body ?? {}
  const spoilt = [{ [canary]: canary }, [[canary]], [{ [canary]: 1 }], `${canary}\u0000`.repeat(500)]
  return spoilt.map((value) => sampleMessage(operation, scene, { body: { ...body, [name]: value } }))
}

/** Headers are parsed before any store is queried, so one store is enough for these tests. */
export const echoesOfHeaders = (world: World): void => {
  const names = [
    "accept",
    "accept-encoding",
    "accept-language",
    "authorization",
    "content-encoding",
    "content-type",
    "cookie",
    "host",
    "idempotency-key",
    "if-none-match",
    "origin",
    "range",
    "referer",
    "user-agent",
    "x-api-key",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-unknown"
  ]
  describe("no message repeats what was sent", () => {
    it.each(names)("in the header %s", async (name) => {
      const scene = await makeScene(world.operator)
      // OAuth answers with links to the host of the request, and a broken host is refused before its forms are known.
      const calls = endpoints.filter(({ isOAuth }) => name !== "host" || !isOAuth)
      for (const { operation } of calls) {
        const message = sampleMessage(operation, scene)
        for (const value of [canary, `Bearer ${canary}`, `${canary} ; ${canary}`, `\u00e9${canary}`]) {
          await sendWithCanary(world, { ...message, headers: { ...message.headers, [name]: value } })
        }
      }
    })

    it("in an invalid X-Request-Id", async () => {
      await sendWithCanary(world, {
        method: "GET",
        target: "/v1/lookup",
        headers: { "x-request-id": `${canary} ${canary}` }
      })
    })
  })
}

const inPaths = (world: World): void => {
  it("in a path, known or not", async () => {
    const scene = await makeScene(world.operator)
    const targets = [
      `/${canary}`,
      `/v1/${canary}?${canary}=${canary}`,
      `/v1/lookup/${canary}`,
      `/v1/admin/keys/${canary}`,
      `/v1/admin/organizations/${canary}/keys`,
      url("/v1/health/live", { [canary]: canary })
    ]
    for (const target of targets) {
      for (const method of ["GET", "DELETE", "POST"]) {
        await sendWithCanary(world, { method, target, key: scene.secret })
      }
    }
  })

  it("in a body that is not even JSON", async () => {
    for (const body of [canary, `{"${canary}": ${canary}`, `{"${canary}":1,"${canary}":2}`, `"${canary}"`]) {
      const message = { method: "POST", target: "/v1/assembly/assemble", ...json(undefined), body }
      expectFailure(await sendWithCanary(world, message), "400 invalid_body")
    }
  })

  it("except that a batch returns each code with its result, so that callers can match them", async () => {
    const received = await world.client.post("/v1/lookup/batch", { codes: ["not a code"] })
    expect(dataOf<unknown>(received)).toMatchObject({ results: [{ code: "not a code" }] })
    expect(JSON.stringify(jsonOf(received)).match(/not a code/g)).toHaveLength(1)
  })
}
