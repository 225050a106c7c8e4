/** "Did you mean": the likely correction of a postcode with one typing error, at every endpoint that takes one. */
import type { Directory } from "@postcode/core/Directory"
import { isValid } from "@postcode/core/Postcode"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { Effect } from "effect"
import { describe, expect, it, vi } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { url } from "../../world/TestClient.ts"
import type { Served, World } from "../../world/World.ts"
import { dataOf, expectFailure, jsonOf, type Received } from "../Received.ts"
import { type CorrectionVector, correctionVectors, vectorDirectory } from "../Vectors.ts"

const typo = "LA-12-A03-BG-O7"
const meant = postcodes.full
const message = (name: string): string => `${name}: unit: expected 2 digits at position 13; did you mean ${meant}?`

export const corrections = (world: World): void => {
  describe("did you mean", () => {
    vectors(world)
    everywhere(world)
    callers(world)
    limits(world)
  })
}

const lookup = (code: string): string => url("/v1/lookup", { code })
const autocomplete = (q: string): string => url("/v1/search/autocomplete", { q })

const serveDirectory = (world: World, directory: Directory, options = {}): Promise<Served> =>
  world.serveAnother(options, (effect) => Effect.provideService(effect, CurrentDirectory, { get: () => directory }))

const messageOf = (received: Received): string =>
  (jsonOf(received) as { readonly error: { readonly message: string } }).error.message

const vectors = (world: World): void => {
  const all = correctionVectors().filter(({ input }) => input !== "")
  const suggestionIn = (text: string): string | undefined => /; did you mean (\S+)\?$/.exec(text)?.[1]

  it("a malformed code is answered with the correction of every golden vector, and so is each code of a batch", async () => {
    const { client } = await serveDirectory(world, vectorDirectory("corrections-directory"))
    const malformed = all.filter(({ input }) => !isValid(input))
    expect(malformed.length).toBeGreaterThan(30)
    const batch = await client.post("/v1/lookup/batch", { codes: malformed.map(({ input }) => input) })
    const { results } = dataOf<{ readonly results: ReadonlyArray<{ readonly error: { readonly message: string } }> }>(
      batch
    )
    for (const [at, { did_you_mean, input }] of malformed.entries()) {
      const received = await client.get(lookup(input))
      expectFailure(received, "400 invalid_parameter", "code")
      expect(suggestionIn(messageOf(received)), input).toBe(did_you_mean)
      expect(results[at]?.error.message).toBe(messageOf(received))
    }
  })

  it("completion that finds nothing has the correction of every golden vector beside its empty list", async () => {
    const { client } = await serveDirectory(world, vectorDirectory("corrections-directory"))
    const complete = async ({ input }: CorrectionVector) =>
      dataOf<{ readonly suggestions: ReadonlyArray<unknown>; readonly did_you_mean?: string }>(
        await client.get(autocomplete(input))
      )
    let corrected = 0
    for (const vector of all) {
      const { did_you_mean, suggestions } = await complete(vector)
      expect(did_you_mean, vector.input).toBe(suggestions.length === 0 ? vector.did_you_mean : undefined)
      if (did_you_mean !== undefined) corrected++
    }
    expect(corrected).toBeGreaterThan(30)
  })
}

const everywhere = (world: World): void => {
  it("every endpoint that takes a postcode suggests it, in a parameter and in a body", async () => {
    const { client, operator } = world
    expectFailure(await client.get(lookup(typo)), "400 invalid_parameter", message("code"))
    const split = await client.get(url("/v1/assembly/disassemble", { code: typo }))
    expectFailure(split, "400 invalid_parameter", message("code"))
    const token = await operator.session(await operator.key({ kind: "publishable", origins: ["https://shop.example"] }))
    const selected = await client.post("/v1/widget/selected", { postcode: typo }, { token })
    expectFailure(selected, "400 invalid_parameter", message("postcode"))
    const endUser = { identifiers: ["ada@example.com"], bookmarks: [{ postcode: typo, label: "Home" }] }
    const saved = await operator.call("PUT", "/v1/admin/end-users", endUser)
    expectFailure(saved, "400 invalid_parameter", message("bookmarks[0].postcode"))
  })

  it("nothing is taken in its place: the code is refused, and completion suggests nothing", async () => {
    expect((await world.client.get(lookup(typo))).status).toBe(400)
    expect(dataOf(await world.client.get(autocomplete(typo)))).toEqual({
      segment: "unit",
      suggestions: [],
      did_you_mean: meant
    })
  })

  it("the answer to a well-formed code that does not exist is unchanged, and completion has the correction", async () => {
    const unknown = "LA-21-A03-BG-07"
    expect(dataOf(await world.client.get(lookup(unknown)))).toEqual({
      postcode: unknown,
      valid: false,
      status: "not_found"
    })
    expect(dataOf(await world.client.get(autocomplete(unknown)))).toMatchObject({ did_you_mean: meant })
  })

  it("a retired unit is not suggested, and nothing in its place", async () => {
    const received = await world.client.get(lookup("LA-14-C10-AA-O1"))
    expect(messageOf(received)).toBe("code: unit: expected 2 digits at position 13")
    const completed = await world.client.get(autocomplete(postcodes.retired))
    expect(dataOf(completed)).toEqual({ segment: "unit", suggestions: [] })
  })
}

const callers = (world: World): void => {
  it("the suggestion is the same for every caller, and free", async () => {
    const key = await world.operator.keyWithCredits(5)
    const publishable = await world.operator.key({ kind: "publishable", origins: ["https://shop.example"] })
    const noScopes = await world.operator.key({ scopes: ["search"], max_level: 1 })
    for (const secret of [undefined, key.secret, publishable.secret, noScopes.secret]) {
      const options = secret === undefined ? {} : { key: secret }
      const received = await world.client.get(`${lookup(typo)}&level=5`, options)
      expectFailure(received, "400 invalid_parameter", message("code"))
      expect(received.headers).not.toHaveProperty("x-credits-charged")
      expect(dataOf(await world.client.get(autocomplete(typo), options))).toMatchObject({ did_you_mean: meant })
    }
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(5)
  })

  it("a refused key, and a batch that the key may not send, get no suggestion", async () => {
    expectFailure(await world.client.get(lookup(typo), { key: "svc_test_nothing" }), "401 invalid_api_key")
    const { secret: key } = await world.operator.key({ kind: "publishable", origins: ["https://shop.example"] })
    const batch = await world.client.post("/v1/lookup/batch", { codes: [typo] }, { key })
    expectFailure(batch, "403 key_type_not_allowed")
    expect(batch.body.toString()).not.toContain(meant)
  })
}

const limits = (world: World): void => {
  it("a request above the rate limit is refused without a search for corrections", async () => {
    const directory = vectorDirectory("corrections-directory")
    const { client } = await serveDirectory(world, directory, { addressRateLimit_per_minute: 1 })
    const status = vi.spyOn(directory, "status")
    expect(messageOf(await client.get(lookup("LA-11-B03-PD-0I")))).toContain("did you mean LA-11-B03-PD-01?")
    expect(status).toHaveBeenCalled()
    status.mockClear()
    expectFailure(await client.get(lookup("LA-11-B03-PD-0I")), "429 rate_limit_exceeded")
    expect(status).not.toHaveBeenCalled()
  })
}
