/** Completion of partial postcodes and names. */
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure } from "../Received.ts"
import { completionVectors, vectorDirectory } from "../Vectors.ts"

const path = "/v1/search/autocomplete"

interface Completion {
  readonly segment: string
  readonly suggestions: ReadonlyArray<{
    readonly code: string
    readonly label: string
    readonly prefix: string
    readonly within?: string
    readonly units?: number
    readonly centre?: { readonly lat: number; readonly lng: number }
  }>
}

export const autocomplete = (world: World): void => {
  describe("GET /v1/search/autocomplete", () => {
    const complete = async (q: string, limit?: number): Promise<Completion> =>
      dataOf(await world.client.get(url(path, { q, ...(limit !== undefined && { limit }) })))

    it("answers every golden vector, limits included", async () => {
      const directory = vectorDirectory("autocomplete-directory")
      const { client } = await world.serveAnother({}, (effect) =>
        Effect.provideService(effect, CurrentDirectory, { get: () => directory })
      )
      const vectors = completionVectors()
      expect(vectors.length).toBeGreaterThan(100)
      for (const { limit, q, segment, suggestions } of vectors) {
        const received = await client.get(url(path, { q, limit }))
        const { did_you_mean: _, ...completion } = dataOf<Record<string, unknown>>(received)
        expect(completion, `q ${JSON.stringify(q)}`).toEqual({ segment, suggestions })
      }
    })

    it("suggests the segment that q does not complete, of branches that hold an active unit, in code order", async () => {
      const states = [
        { code: "FC", label: "Federal Capital Territory", prefix: "FC" },
        { code: "LA", label: "Lagos", prefix: "LA" },
        { code: "ZZ", label: "ZZ", prefix: "ZZ" }
      ]
      expect(await complete("")).toEqual({ segment: "state", suggestions: states })
      expect(await complete("la")).toEqual({
        segment: "lga",
        suggestions: [
          { code: "12", label: "Ikeja", prefix: "LA-12", within: "Lagos" },
          { code: "14", label: "Kosofe", prefix: "LA-14", within: "Lagos" }
        ]
      })
      const within = "Abuja Municipal, Federal Capital Territory"
      expect(await complete("FC-01")).toEqual({
        segment: "district",
        suggestions: [
          { code: "0A0", label: "0A0", prefix: "FC-01-0A0", within, units: 1 },
          { code: "A00", label: "A00", prefix: "FC-01-A00", within, units: 1 }
        ]
      })
      expect((await complete("LA12A03")).suggestions.map(({ code }) => code)).toEqual(["BG", "BH"])
      expect((await complete("LA 14 C10")).suggestions.map(({ code }) => code)).toEqual(["AB"])
      expect((await complete("LA-12-A03-BG")).suggestions.map(({ code }) => code)).toEqual(["07", "08"])
    })

    it("a whole postcode suggests itself if its unit is active, otherwise nothing", async () => {
      expect(await complete("la12a03bg07")).toEqual({
        segment: "unit",
        suggestions: [{ code: "07", label: "07", prefix: "LA-12-A03-BG-07", within: "Ikeja, Lagos" }]
      })
      expect(await complete("LA-12-A03-BG-99")).toEqual({ segment: "unit", suggestions: [] })
      expect(await complete("LA-14-C10-AA-01")).toEqual({ segment: "unit", suggestions: [] })
    })

    it("a branch without an active unit is never suggested, by code or by name", async () => {
      expect((await complete("BO")).suggestions).toEqual([])
      expect((await complete("Borno")).suggestions).toEqual([])
      expect((await complete("Kan")).suggestions).toEqual([])
    })

    completesNames(complete)

    it("no match is an empty list and the segment", async () => {
      expect(await complete("XY")).toEqual({ segment: "lga", suggestions: [] })
      expect(await complete("?")).toEqual({ segment: "state", suggestions: [] })
      expect(await complete("\u{1f600}")).toEqual({ segment: "state", suggestions: [] })
    })

    it("q is empty by default", async () => {
      expect(dataOf(await world.client.get(path))).toEqual(await complete(""))
      expect(dataOf(await world.client.get(`${path}?q=&limit=`))).toEqual(await complete(""))
    })

    it("limit is 1 to 100", async () => {
      expect((await complete("", 1)).suggestions.map(({ code }) => code)).toEqual(["FC"])
      expect((await complete("", 100)).suggestions).toHaveLength(3)
      for (const limit of ["0", "101", "-1", "1.5", "1e1", "0x5", "NaN", "ten", "+5", " 5"]) {
        const received = await world.client.get(url(path, { q: "LA", limit }))
        expectFailure(received, "400 invalid_parameter", "limit: expected a whole number from 1 to 100")
      }
    })

    it("q has at most 200 characters", async () => {
      expect((await complete("x".repeat(200))).suggestions).toEqual([])
      const received = await world.client.get(url(path, { q: "x".repeat(201) }))
      expectFailure(received, "400 invalid_parameter", "q: expected at most 200 characters")
    })

    it("a key changes nothing and is not charged", async () => {
      const key = await world.operator.keyWithCredits(1)
      expect(dataOf(await world.client.get(`${path}?q=LA`, { key: key.secret }))).toEqual(await complete("LA"))
      expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(1)
    })
  })
}

const completesNames = (complete: (q: string) => Promise<Completion>): void => {
  it("also completes the start of a name", async () => {
    expect(await complete("lag")).toEqual({
      segment: "state",
      suggestions: [{ code: "LA", label: "Lagos", prefix: "LA" }]
    })
    expect(await complete("LA ike")).toEqual({
      segment: "lga",
      suggestions: [{ code: "12", label: "Ikeja", prefix: "LA-12", within: "Lagos" }]
    })
    expect((await complete("federal")).suggestions).toEqual([
      { code: "FC", label: "Federal Capital Territory", prefix: "FC" }
    ])
  })

  it("finds the name of a state or an LGA anywhere in a text", async () => {
    const ikeja = { segment: "lga", suggestions: [{ code: "12", label: "Ikeja", prefix: "LA-12", within: "Lagos" }] }
    for (const q of ["ikeja", "12 Allen Avenue, IKEJA, Lagos State", "lagos ikeja", "Ikja", "\u00CCk\u1EB9ja"]) {
      expect(await complete(q), q).toEqual(ikeja)
    }
    for (const q of ["abuja", "FCT"])
      expect((await complete(q)).suggestions.map(({ prefix }) => prefix)).toEqual(["FC"])
    expect((await complete("victoria island")).suggestions).toEqual([])
  })
}
