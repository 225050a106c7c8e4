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
      const { current_since, warnings, ...others } = description
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

    it("shows operators the warnings of the edition, by kind, with the first rows", async () => {
      const shown = dataOf<{ readonly warnings: ReadonlyArray<object> }>(
        await world.operator.call("GET", "/v1/admin/directory")
      )
      const { warnings } = world.fixture
      expect(warnings.map(({ kind }) => kind)).toContain("unnamed_place")
      expect(shown.warnings).toEqual(warnings.map((warning) => ({ ...warning, meaning: expect.any(String) })))
    })

    it("does not show the warnings to members, because their rows name units", async () => {
      for (const role of ["owner", "developer", "billing"] as const) {
        const { headers } = await world.operator.account(role)
        const shown = dataOf<object>(await world.client.get("/v1/admin/directory", { headers }))
        expect(shown).not.toHaveProperty("warnings")
      }
    })

    it("is available to every account that is signed in", async () => {
      for (const role of ["operator", "owner", "developer", "billing"] as const) {
        const { headers } = await world.operator.account(role)
        expect((await world.client.get("/v1/admin/directory", { headers })).status).toBe(200)
      }
    })
  })
}
