/** Parameters are read strictly: each known one once, in percent-encoded UTF-8. Unknown ones are ignored. */
import { describe, expect, it, vi } from "vitest"
import type { World } from "../../world/World.ts"
import { endpoints, type Operation } from "../Contract.ts"
import { dataOf, expectFailure, outcomeOf } from "../Received.ts"
import { makeScene, sampleMessage, samples } from "../Samples.ts"

const withQuery = endpoints.filter(({ queryNames }) => queryNames.length > 0)
const lookup = "/v1/lookup?code=LA-12-A03-BG-07"

export const parameters = (world: World): void => {
  describe("parameters", () => {
    everyEndpoint(world)
    encoding(world)
    unknownOnes(world)
  })
}

const everyEndpoint = (world: World): void => {
  for (const { operation, queryNames } of withQuery) {
    it(`a repeated one is 400: ${operation}`, async () => {
      const scene = await makeScene(world.operator, operation)
      const message = sampleMessage(operation, scene)
      for (const name of queryNames) {
        const value = encodeURIComponent(samples[operation].query?.[name] ?? "1")
        const once = message.target.includes(`${name}=`) ? message.target : `${message.target}&${name}=${value}`
        for (const again of [`${name}=${value}`, `${name}=`, name, `${escaped(name)}=${value}`]) {
          const received = await world.client.send({ ...message, target: `${once}&${again}` })
          expectFailure(received, "400 invalid_parameter", `${name}: sent more than once`)
        }
      }
    })

    it(`an empty one counts as missing: ${operation}`, async () => {
      const scene = await makeScene(world.operator, operation)
      for (const name of queryNames) {
        const { [name]: _, ...others } = samples[operation].query ?? {}
        // The usage of an earlier request may be counted between the two.
        await vi.waitFor(async () => {
          const missing = await world.client.send(sampleMessage(operation, scene, { query: others }))
          const empty = await world.client.send(sampleMessage(operation, scene, { query: { ...others, [name]: "" } }))
          expect(outcomeOf(empty)).toBe(outcomeOf(missing))
          expect(empty.text).toBe(missing.text)
        }, 30_000)
      }
    })

    it(`a malformed escape is 400 and the parameter is named: ${operation}`, async () => {
      const scene = await makeScene(world.operator, operation)
      for (const name of queryNames) {
        for (const value of ["%ZZ", "%", "%4", "%FF", "%C0%AF", "%ED%A0%80", "a%E2%82"]) {
          const target = withParameter(operation, sampleMessage(operation, scene).target, name, value)
          const received = await world.client.send({ ...sampleMessage(operation, scene), target })
          expectFailure(received, "400 invalid_parameter", `${name}: expected percent-encoded UTF-8`)
        }
      }
    })
  }
}

/** The same name, with its first character escaped. */
const escaped = (name: string): string => `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`

/** A target with the value of one parameter replaced. */
const withParameter = (operation: Operation, target: string, name: string, value: string): string => {
  const [path = ""] = target.split("?")
  const others = Object.entries(samples[operation].query ?? {}).filter(([other]) => other !== name)
  const pairs = [...others.map(([other, own]) => `${other}=${encodeURIComponent(own)}`), `${name}=${value}`]
  return `${path}?${pairs.join("&")}`
}

const encoding = (world: World): void => {
  it("a plus sign is a space, and an escaped one is a plus sign", async () => {
    expect((await world.client.get("/v1/lookup?code=LA+12+A03+BG+07")).status).toBe(200)
    expectFailure(await world.client.get("/v1/lookup?code=LA%2B12%2BA03%2BBG%2B07"), "400 invalid_parameter", "code")
  })

  it("names may also be escaped", async () => {
    expect((await world.client.get("/v1/lookup?c%6Fde=LA12A03BG07")).status).toBe(200)
  })

  it("escapes can encode any character of UTF-8", async () => {
    const received = await world.client.get(`/v1/search/autocomplete?q=${encodeURIComponent("\u1ecc\u0300\u{1f600}")}`)
    expect(dataOf(received)).toEqual({ segment: "state", suggestions: [] })
  })

  it("a value ends at the ampersand and may contain equals signs", async () => {
    expect((await world.client.get(`${lookup}&level=1`)).status).toBe(200)
    expectFailure(await world.client.get(`${lookup}&level=1=1`), "400 invalid_parameter", "level")
    expectFailure(await world.client.get(`${lookup};level=1`), "400 invalid_parameter", "code")
  })

  it("names are case-sensitive", async () => {
    expectFailure(await world.client.get("/v1/lookup?CODE=LA12A03BG07"), "400 invalid_parameter", "code")
  })

  it("a value of 10,000 characters is 400 at most", async () => {
    for (const { operation, queryNames } of withQuery) {
      const scene = await makeScene(world.operator, operation)
      const [name = ""] = queryNames
      const message = sampleMessage(operation, scene, { query: { [name]: "1".repeat(10_000) } })
      expect((await world.client.send(message)).status).toBe(400)
    }
  })
}

const unknownOnes = (world: World): void => {
  const ignored = [
    "a=1",
    "a=1&a=2",
    "a=%ZZ",
    "%ZZ=1",
    "%ZZ",
    "a",
    "=",
    "=1",
    "&&",
    "__proto__=1",
    "level[]=9",
    "codes=1"
  ]
  it.each(ignored)("an unknown parameter is ignored: %s", async (more) => {
    for (const target of [`${lookup}&${more}`, `${lookup.replace("?", `?${more}&`)}`]) {
      expect(dataOf(await world.client.get(target))).toEqual({
        postcode: "LA-12-A03-BG-07",
        valid: true,
        status: "valid"
      })
    }
  })

  it("a parameter of another endpoint is unknown", async () => {
    expect((await world.client.get(`${lookup}&q=1&q=2&radius=-1`)).status).toBe(200)
  })
}
