/** Imports and reverts over changes: at the same time, in pages, again and again. */
import type { RemovalsVerdict } from "@postcode/core/Changes"
import { changesBetween } from "@postcode/gateway/directory/imports/changeFate"
import { RemovalsTally } from "@postcode/gateway/directory/imports/RemovalsTally"
import type { ChangesOverview } from "@postcode/postgres"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { byCode, codeOf, editionDatabase, move, retire, unit } from "../EditionDatabase.ts"

const { change, changesOf, connect, currentUnits, editions, query, revert, runImport } = editionDatabase()

describe("an import over changes", () => {
  it("needs no decision if the new edition contains them all", async () => {
    await runImport("2026-1", [unit(1), unit(2)])
    await change(retire(1), { ...unit(3), change: "add" })
    const { result } = await runImport("2026-2", Object.values(await currentUnits()))
    expect(result).toMatchObject({ carried: { contained: 2, kept: 0, dropped: 0, superseded: 0 } })
  })

  it("carries changes from edition to edition until one contains them", async () => {
    await runImport("a", [unit(1)])
    await change(retire(1))
    for (const [i, version] of ["b", "c", "d"].entries()) {
      await runImport(version, [unit(1), unit(10 + i)], { changes: "keep" })
      expect(await changesOf(i + 2)).toHaveLength(1)
    }
    await runImport("e", [unit(1, { active: false })])
    expect(await changesOf(5)).toEqual([])
  })

  it("takes changes into account that come while it runs", async () => {
    await runImport("2026-1", [unit(1), unit(2)])
    await change(retire(1))
    const changes = async ({ undone }: ChangesOverview) => {
      expect(undone).toBe(1)
      await change(retire(2))
      return "keep" as const
    }
    const { result } = await runImport("2026-2", [unit(1), unit(2), unit(3)], { changes })
    expect(result).toMatchObject({ carried: { kept: 2 } })
    expect(await changesOf(2)).toHaveLength(2)
  })

  it("asks again about changes that came after the decision to drop those before", async () => {
    await runImport("2026-1", [unit(1), unit(2)])
    await change(retire(1))
    const asked: Array<number> = []
    const { result } = await runImport("2026-2", [unit(1), unit(2), unit(3)], {
      changes: async ({ undone }) => {
        asked.push(undone)
        if (asked.length === 1) await change(move(2, 66_000_500))
        return "drop"
      }
    })
    expect(asked).toEqual([1, 2])
    expect(result).toMatchObject({ carried: { kept: 0, dropped: 2 } })
  })

  it("asks about changes that came after it had found none to undo, and may still be refused", async () => {
    await runImport("2026-1", [unit(1)])
    await using observer = await connect()
    await query(`BEGIN; UPDATE postcode.directory_editions SET changes = 1;
      INSERT INTO postcode.directory_changes (edition, number, kind, at, reference, postcode, lat, lon, status)
      VALUES (1, 1, 'retire', now(), 'test', '${codeOf(1)}', 6.6, 3.5, 'retired')`)
    const refused = expect(runImport("2026-2", [unit(1), unit(2)])).rejects.toThrow(/would undo/)
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await expect.poll(async () => (await observer.query(waiting)).rows.length).toBe(1)
    await query("COMMIT")
    await refused
    expect(await editions()).toEqual([{ edition: 1, version: "2026-1", is_current: true, changes: 1 }])
  })

  it("asks again about removals if changes that came after the decision make them more", async () => {
    await runImport("2026-1", [unit(1), unit(2)])
    const asked: Array<number> = []
    const { result } = await runImport("2026-2", [unit(1)], {
      changes: "drop",
      removals: async ({ count }) => {
        asked.push(count)
        if (asked.length === 1) await change({ ...unit(3), change: "add" })
        return count
      }
    })
    expect(asked).toEqual([1, 2])
    expect(result).toMatchObject({ carried: { dropped: 1 } })
  })

  it("refuses a name that clients know for other units", async () => {
    await runImport("2026-1", [unit(1)])
    const other = runImport("2026-1", [unit(2)])
    await expect(other).rejects.toThrow("edition 1 is called 2026-1, too, and is made of other files")
    expect((await runImport("2026-1", [unit(1)], { force: true })).result).toMatchObject({ edition: 2 })
    await change(retire(1))
    const again = runImport("2026-1", [unit(1)], { force: true, changes: "drop" })
    await expect(again).rejects.toThrow("edition 2 is called 2026-1, too, and has been changed since")
  })

  it("is a three-way merge if it keeps them", async () => {
    let round = 0
    const state = fc.record({
      lat_e7: fc.constantFrom(66_000_000, 66_000_100, 66_200_000),
      status: fc.constantFrom("active", "retired", "replaced"),
      locality_name: fc.constantFrom("", "Ikorodu")
    })
    const numbers = Array.from({ length: 12 }, (_, number) => number)
    const units = fc.tuple(...numbers.map(() => fc.option(state))).map((all) =>
      all.flatMap((drawn, number) =>
        drawn === null
          ? []
          : unit(number, {
              lat_e7: drawn.lat_e7,
              active: drawn.status === "active",
              ...(drawn.status === "replaced" && { replaced_by: codeOf(99) }),
              attributes: drawn.locality_name === "" ? {} : { locality_name: drawn.locality_name }
            })
      )
    )
    await fc.assert(
      fc.asyncProperty(units, units, units, fc.boolean(), async (before, drawn, published, isPublished) => {
        const version = String(round++)
        await runImport(`before ${version}`, [...before, unit(1_000 + round)], { changes: "drop" })
        await change(...drawn.flatMap((unit) => changesBetween(byCode(before)[unit.postcode], unit)))
        const after = [...(isPublished ? published : before), unit(2_000 + round)]
        const changed = await currentUnits()
        const verdicts: Array<RemovalsVerdict> = []
        const onRemovals = (verdict: RemovalsVerdict) => verdicts.push(verdict)
        await runImport(`after ${version}`, after, { changes: "keep", watch: { onRemovals } })
        const merged = Object.keys({ ...byCode(drawn), ...byCode(after) }).map((code) => {
          const [old, changed, now] = [byCode(before), byCode(drawn), byCode(after)].map((units) => units[code])
          return JSON.stringify(old) === JSON.stringify(now) ? (changed ?? now) : now
        })
        const kept = byCode(merged.filter((unit) => unit !== undefined))
        expect(await currentUnits()).toEqual(kept)
        const tally = new RemovalsTally()
        for (const code of Object.keys({ ...changed, ...kept })) tally.add(changed[code], kept[code])
        const { removed, retired, moved } = tally.removals()
        if (removed + retired + moved > 0) expect(verdicts).toMatchObject([tally.removals()])
        else expect(verdicts).toEqual([])
      }),
      { seed: 23, numRuns: 20 }
    )
  })

  it("compares and keeps more changes than fit into one page", async () => {
    const count = 11_000
    await runImport("2026-1", [unit(1)])
    await query(`INSERT INTO postcode.directory_changes (edition, number, kind, at, reference, postcode, lat, lon, status)
      SELECT 1, n, 'add', now(), 'test', format('LA-12-C%s-B%s-%s', lpad((n / 2600)::text, 2, '0'),
        chr(65 + n / 100 % 26), lpad((n % 100)::text, 2, '0')), 6.6, 3.5, 'active'
      FROM generate_series(1, ${count}) n`)
    await query(`UPDATE postcode.directory_editions SET changes = ${count}`)
    const { overviews, result } = await runImport("2026-2", [unit(1), unit(2)], { changes: "keep" })
    expect(overviews[0]?.undone).toBe(count)
    expect(overviews[0]?.undoneChanges.get("add")?.first).toHaveLength(5)
    expect(result).toMatchObject({ carried: { kept: count } })
    const [numbers] =
      await query(`SELECT count(*)::integer, count(DISTINCT postcode)::integer AS units, min(number), max(number)
      FROM postcode.directory_changes WHERE edition = 2`)
    expect(numbers).toEqual({ count, units: count, min: 1, max: count })
  })
})

describe("a revert", () => {
  it("keeps the edition that was left, and the next import drops it, not the one that replicas have", async () => {
    for (const version of ["a", "b"]) await runImport(version, [unit(1), unit(version === "a" ? 2 : 3)])
    await revert()
    const tables = "SELECT tablename FROM pg_tables WHERE tablename ~ '^units_' ORDER BY 1"
    expect((await query(tables)).map(({ tablename }) => tablename)).toEqual(["units_1", "units_2"])
    await runImport("c", [unit(1)])
    expect((await query(tables)).map(({ tablename }) => tablename)).toEqual(["units_1", "units_3"])
    await revert()
    expect(await currentUnits()).toEqual(byCode([unit(1), unit(2)]))
  })

  it("changes nothing if it is not confirmed, if there is nothing to return to, or while an import runs", async () => {
    await expect(revert()).rejects.toThrow("the database holds no directory yet")
    await runImport("a", [unit(1)])
    await expect(revert()).rejects.toThrow("no edition before a is stored")
    await runImport("b", [unit(2)])
    await expect(revert({ confirm: () => Promise.reject(new Error("no")) })).rejects.toThrow("no")
    expect((await editions()).map(({ is_current }) => is_current)).toEqual([false, true])
    const during: Array<unknown> = []
    const onDifference = () => during.push(revert().catch(({ message }) => message))
    const changes = async () => {
      await Promise.all(during)
      return "drop" as const
    }
    await change(retire(2))
    await runImport("c", [unit(2), unit(3)], { watch: { onDifference }, changes })
    expect(await during[0]).toMatch(/another import is running/)
  })

  it("refuses to return to an edition of the same name", async () => {
    await runImport("a", [unit(1)])
    await runImport("a", [unit(1)], { force: true })
    await change(retire(1))
    await expect(revert({ changes: "drop" })).rejects.toThrow("editions 2 and 1 are both called a")
  })
})
