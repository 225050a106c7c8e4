/** Reports of selections: counts by day, LGA and source, without small ones. */
import type { Environment } from "@postcode/core/Credits"
import type { Postcode } from "@postcode/core/Postcode"
import type { SelectionSource } from "@postcode/core/Selection"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure } from "../Received.ts"

const root = "/v1/admin/organizations"
const day_ms = 86_400_000
const yesterday = new Date(Date.now() - day_ms).toISOString().slice(0, 10)

export const selections = (world: World): void => {
  describe("GET /v1/admin/organizations/{id}/selections", () => {
    counts(world)
    requests(world)
  })
}

type Query = Readonly<Record<string, string>>

const reportOf = async (world: World, organization_id: string, query: Query = {}) => {
  const target = url(`${root}/${organization_id}/selections`, { environment: "test", ...query })
  return dataOf<{ selections: ReadonlyArray<unknown> }>(await world.operator.call("GET", target)).selections
}

interface Picked {
  readonly organization_id: string
  readonly count: number
  readonly postcode?: Postcode
  readonly source?: SelectionSource
  readonly environment?: Environment
  readonly date?: string
}

let recorded = 0

const record = (world: World, { count, date = yesterday, ...picked }: Picked): Promise<void> =>
  world.run(
    Effect.flatMap(Selections, ({ record }) =>
      Effect.forEach(
        Array.from({ length: count }, () => ({
          id: `sel_report${++recorded}`,
          key_id: "key_report",
          environment: "test" as const,
          subject: `1:person${recorded}`,
          postcode: postcodes.full,
          at: `${date}T12:00:00.000Z`,
          ...picked
        })),
        record,
        { discard: true }
      )
    )
  )

const counts = (world: World): void => {
  it("counts by day, LGA and source, and leaves out rows with fewer than five selections", async () => {
    const organization_id = await world.operator.organization()
    await record(world, { organization_id, count: 5, source: "search" })
    await record(world, { organization_id, count: 6 })
    await record(world, { organization_id, count: 4, source: "bookmark" })
    await record(world, { organization_id, count: 5, postcode: postcodes.nameless, source: "discover" })
    await expect
      .poll(() => reportOf(world, organization_id))
      .toEqual([
        { date: yesterday, lga: "LA-12", lga_name: "Ikeja", source: null, selections: 6 },
        { date: yesterday, lga: "LA-12", lga_name: "Ikeja", source: "search", selections: 5 },
        { date: yesterday, lga: "ZZ-99", source: "discover", selections: 5 }
      ])
    await record(world, { organization_id, count: 1, source: "bookmark" })
    await expect.poll(async () => (await reportOf(world, organization_id)).length).toBe(4)
  })

  it("counts what widgets record, and shows no person, key or postcode", async () => {
    const key = await world.operator.key({ kind: "publishable", max_level: 1 })
    const token = await world.operator.session(key, "counted@example.ng")
    for (let count = 0; count < 5; count++) {
      const body = { postcode: postcodes.full, source: "search" }
      expect((await world.client.post("/v1/widget/selected", body, { token })).status).toBe(200)
    }
    const row = { lga: "LA-12", lga_name: "Ikeja", source: "search", selections: 5 }
    await expect
      .poll(() => reportOf(world, key.organization_id))
      .toEqual([{ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...row }])
  })

  it("is of one organization, one environment and the requested days", async () => {
    const [organization_id, other] = [await world.operator.organization(), await world.operator.organization()]
    const before = new Date(Date.parse(yesterday) - day_ms).toISOString().slice(0, 10)
    const old = new Date(Date.parse(yesterday) - 40 * day_ms).toISOString().slice(0, 10)
    await record(world, { organization_id, count: 5 })
    await record(world, { organization_id, count: 6, environment: "live" })
    await record(world, { organization_id, count: 7, date: before })
    await record(world, { organization_id, count: 8, date: old })
    await record(world, { organization_id: other, count: 9 })
    const numbers = async (query: Query = {}, id = organization_id) =>
      ((await reportOf(world, id, query)) as ReadonlyArray<{ selections: number }>).map((row) => row.selections)
    await expect.poll(() => numbers({}, other)).toEqual([9])
    expect(await numbers()).toEqual([7, 5])
    expect(await numbers({ environment: "live" })).toEqual([6])
    expect(await numbers({ from: yesterday })).toEqual([5])
    expect(await numbers({ from: old, to: before })).toEqual([8, 7])
    expect(await numbers({ to: old })).toEqual([8])
  })
}

const requests = (world: World): void => {
  it("of an unknown organization is 404", async () => {
    const received = await world.operator.call("GET", `${root}/org_none/selections?environment=test`)
    expectFailure(received, "404 not_found", "organization")
  })

  const refused: ReadonlyArray<readonly [string, Query]> = [
    ["environment", { environment: "" }],
    ["environment", { environment: "both" }],
    ["from", { from: "2026-02-30" }],
    ["from", { from: "2026-02-01", to: "2026-01-31" }],
    ["from", { from: "2025-01-01", to: "2026-01-02" }],
    ["to", { to: "tomorrow" }]
  ]
  it.each(refused)("an invalid %s is 400: %o", async (name, query) => {
    const id = await world.operator.organization()
    const target = url(`${root}/${id}/selections`, { environment: "live", ...query })
    expectFailure(await world.operator.call("GET", target), "400 invalid_parameter", `${name}: `)
  })
}
