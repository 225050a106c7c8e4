/** The description of the current directory in the console: its version and counts. */
import { describe, expect, it } from "vitest"
import type { World } from "../../world/World.ts"
import { dataOf } from "../Received.ts"

export const directory = (world: World): void => {
  describe("the directory's description", () => {
    it("has the version that searches use, and the counts of what they find", async () => {
      const { directory } = world.fixture
      const description = dataOf<Readonly<Record<string, unknown>>>(
        await world.operator.call("GET", "/v1/admin/directory")
      )
      const { current_since, ...others } = description
      const states = directory.states().map(({ code }) => code)
      const lgas = states.flatMap((state) => (directory.lgas(state) ?? []).map(({ code }) => [state, code] as const))
      const districts = lgas.flatMap(([state, lga]) =>
        (directory.districts(state, lga) ?? []).map(({ code }) => [state, lga, code] as const)
      )
      const areas = districts.flatMap(([state, lga, district]) => directory.areas(state, lga, district) ?? [])
      expect(others).toEqual({
        version: directory.version,
        date: directory.date,
        changes: directory.changes,
        active_units: directory.activeSize,
        retired_units: directory.size - directory.activeSize,
        states: states.length,
        lgas: lgas.length,
        districts: districts.length,
        areas: areas.length
      })
      expect(others.areas).toBeGreaterThan(0)
      expect(others.retired_units).toBeGreaterThan(0)
      if (current_since !== undefined) expect(Date.parse(String(current_since))).toBeLessThanOrEqual(Date.now())
    })

    it("is available to every account that is signed in", async () => {
      for (const role of ["operator", "owner", "developer", "billing"] as const) {
        const { headers } = await world.operator.account(role)
        expect((await world.client.get("/v1/admin/directory", { headers })).status).toBe(200)
      }
    })
  })
}
