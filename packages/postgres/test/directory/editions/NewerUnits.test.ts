/** A rolling upgrade: the next version has added a column to units while this version still imports and changes them. */
import { describe, expect, it } from "vitest"
import { codeOf, editionDatabase, move, retire, unit } from "../EditionDatabase.ts"

const { change, currentUnits, editions, query, revert, runImport } = editionDatabase()

/** What a migration of the next version does: its column is of the template, the stored editions, and the changes. */
const migrateAhead = async (...unitTables: ReadonlyArray<string>): Promise<void> => {
  for (const table of ["edition_units", "directory_changes", "directory_batches", ...unitTables]) {
    await query(`ALTER TABLE postcode.${table} ADD COLUMN entrances integer NOT NULL DEFAULT 1 CHECK (entrances > 0)`)
  }
}

/** A lookup by the next version. */
const lookUpAhead = (edition: number) =>
  query(`SELECT postcode, locality_name, entrances FROM postcode.units_${edition} ORDER BY postcode`)

describe("after a later version has added a column to units", () => {
  it("an import of this version creates it with its default, so that lookups of both versions work", async () => {
    await runImport("2026-1", [unit(1)])
    await migrateAhead("units_1")
    await runImport("2026-2", [unit(1, { attributes: { locality_name: "Ikorodu" } }), unit(2)])
    expect(await lookUpAhead(2)).toEqual([
      { postcode: codeOf(1), locality_name: "Ikorodu", entrances: 1 },
      { postcode: codeOf(2), locality_name: null, entrances: 1 }
    ])
    expect(Object.keys(await currentUnits())).toEqual([codeOf(1), codeOf(2)])
  })

  it("the table of an edition has the rules of the column, and its index", async () => {
    await migrateAhead()
    await runImport("2026-1", [unit(1)])
    await expect(query("UPDATE postcode.units_1 SET entrances = 0")).rejects.toThrow(/check constraint/)
    await expect(query("UPDATE postcode.units_1 SET entrances = NULL")).rejects.toThrow(/not-null constraint/)
    expect(await query("SELECT indexdef FROM pg_indexes WHERE tablename = 'units_1'")).toEqual([
      { indexdef: expect.stringContaining("UNIQUE INDEX units_1_pkey ON postcode.units_1 USING btree (postcode)") }
    ])
  })

  it("batches, imports that keep changes, dry runs and reverts of this version leave it at its default", async () => {
    await runImport("2026-1", [unit(1), unit(2)])
    await migrateAhead("units_1")
    await change(move(1, 66_000_100), retire(2))
    const next = [unit(1), unit(2), unit(3)]
    expect((await runImport("2026-2", next, { dryRun: true })).result).toMatchObject({ outcome: "checked" })
    await runImport("2026-2", next, { changes: "keep" })
    await revert({ changes: "keep" })
    const rows = await query("SELECT DISTINCT edition, entrances FROM postcode.directory_changes ORDER BY edition")
    expect(rows).toEqual([
      { edition: 1, entrances: 1 },
      { edition: 2, entrances: 1 }
    ])
    expect(await editions()).toMatchObject([{ is_current: true }, { is_current: false }])
  })
})
