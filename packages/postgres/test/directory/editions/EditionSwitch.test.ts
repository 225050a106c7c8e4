/** What imports and reverts do to the changes of the current edition. */
import type { ChangesOverview } from "@postcode/postgres"
import { describe, expect, it } from "vitest"
import { byCode, codeOf, editionDatabase, move, retire, unit } from "../EditionDatabase.ts"

const { change, changesOf, currentUnits, editions, lastEvent, query, revert, runImport } = editionDatabase()

/** An edition with one change of each kind. */
const importAndChange = async (): Promise<void> => {
  await runImport("2026-1", [unit(1), unit(2), unit(3), unit(4), unit(5)])
  await change(
    move(1, 66_000_100),
    { change: "replace", postcode: codeOf(2), replaced_by: codeOf(3) },
    { change: "set", postcode: codeOf(3), attributes: { locality_name: "Ikorodu" } },
    retire(4)
  )
  await change({ ...unit(6, { attributes: { locality_name: "Igbogbo" } }), change: "add" })
}

/** Has the move, another state of unit 4, and nothing of the other changes. */
const next = [unit(1, { lat_e7: 66_000_100 }), unit(2), unit(3), unit(4, { lat_e7: 66_000_900 }), unit(5), unit(7)]

const overview: Partial<ChangesOverview> = { version: "2026-1", changes: 5, contained: 1, undone: 3, superseded: 1 }

describe("an import over changes", () => {
  it("is refused without a decision on what it would undo, and shows that first", async () => {
    await importAndChange()
    const overviews: Array<ChangesOverview> = []
    const watch = { onChanges: (found: ChangesOverview) => overviews.push(found) }
    await expect(runImport("2026-2", next, { watch })).rejects.toThrow(/it would undo changes/)
    expect(overviews).toEqual([
      {
        ...overview,
        undoneChanges: new Map([
          ["replace", { count: 1, first: [codeOf(2)] }],
          ["set", { count: 1, first: [codeOf(3)] }],
          ["add", { count: 1, first: [codeOf(6)] }]
        ]),
        supersededUnits: { count: 1, first: [codeOf(4)] }
      }
    ])
    expect(await editions()).toEqual([{ edition: 1, version: "2026-1", is_current: true, changes: 5 }])
    const dry = await runImport("2026-2", next, { dryRun: true })
    expect(dry.result).toMatchObject({ outcome: "checked", changes: overviews[0] })
    expect(dry.overviews).toEqual(overviews)
    expect(await editions()).toHaveLength(1)
  })

  it("keeps them as changes of the new edition, with numbers from 1, and notes how many", async () => {
    await importAndChange()
    const { result } = await runImport("2026-2", next, { changes: "keep" })
    const counts = { kept: 3, dropped: 0, superseded: 1, contained: 1 }
    expect(result).toMatchObject({
      outcome: "imported",
      edition: 2,
      carried: counts,
      difference: { added: 1, moved: 2 }
    })
    const kept = { lat: 6.6, locality_name: null, replaced_by: null, status: "active" }
    expect(await changesOf(2)).toEqual([
      { ...kept, number: 1, kind: "replace", postcode: codeOf(2), status: "retired", replaced_by: codeOf(3) },
      { ...kept, number: 2, kind: "set", postcode: codeOf(3), locality_name: "Ikorodu" },
      { ...kept, number: 3, kind: "add", postcode: codeOf(6), locality_name: "Igbogbo" }
    ])
    expect(await editions()).toEqual([
      { edition: 1, version: "2026-1", is_current: false, changes: 5 },
      { edition: 2, version: "2026-2", is_current: true, changes: 3 }
    ])
    const event = await lastEvent()
    expect(event).toMatchObject({ action: "directory.imported", subject: "2", details: counts })
    const batches =
      "SELECT edition, first_change, last_change, actor, reason, reference FROM postcode.directory_batches WHERE edition = 2"
    const batch = { edition: 2, first_change: 1, last_change: 3, actor: "command" }
    expect(await query(batches)).toEqual([{ ...batch, reason: "kept from edition 2026-1", reference: event?.id }])
  })

  it("drops them", async () => {
    await importAndChange()
    const { result } = await runImport("2026-2", next, { changes: async () => "drop" })
    const counts = { kept: 0, dropped: 3, superseded: 1, contained: 1 }
    expect(result).toMatchObject({ carried: counts })
    expect(await changesOf(2)).toEqual([])
    expect(await currentUnits()).toEqual(byCode(next))
    expect(await lastEvent()).toMatchObject({ details: counts })
  })
})

describe("a revert", () => {
  it("returns to the previous edition with its changes, and can be reverted itself", async () => {
    await importAndChange()
    const before = await currentUnits()
    await runImport("2026-2", next, { changes: "drop" })
    const confirmed: Array<string> = []
    const confirm = async ({ version }: { version: string }) => {
      confirmed.push(version)
    }
    expect(await revert({ confirm })).toMatchObject({
      from: { edition: 2, version: "2026-2" },
      to: { edition: 1, version: "2026-1", changes: 5 },
      carried: undefined
    })
    expect(confirmed).toEqual(["2026-1"])
    expect(await currentUnits()).toEqual(before)
    const details = { version: "2026-1", date: "2026-01-31", left_edition: 2, left_version: "2026-2" }
    expect(await lastEvent()).toMatchObject({ action: "directory.reverted", actor: "command", subject: "1", details })
    await revert({ changes: "drop" })
    expect(await currentUnits()).toEqual(byCode(next))
  })

  it("asks for changes that it would undo, and keeps them after those of the edition that becomes current", async () => {
    await importAndChange()
    await runImport("2026-2", next, { changes: "keep" })
    await change(retire(5))
    await expect(revert()).rejects.toThrow(/would undo changes/)
    expect((await editions()).map(({ is_current }) => is_current)).toEqual([false, true])
    const { carried, to } = await revert({ changes: "keep" })
    expect(carried).toEqual({ contained: 0, kept: 1, dropped: 0, superseded: 0 })
    expect(to).toMatchObject({ edition: 1, changes: 6 })
    expect((await changesOf(1)).slice(5)).toMatchObject([{ number: 6, kind: "retire", postcode: codeOf(5) }])
    // Of what both editions have, only what was done since the revert counts.
    await change({ change: "reactivate", postcode: codeOf(5) })
    await change(retire(3))
    const overviews: Array<ChangesOverview> = []
    await revert({ changes: "keep", onChanges: (overview) => overviews.push(overview) })
    expect(overviews).toMatchObject([{ contained: 0, undone: 2, superseded: 0 }])
    expect((await currentUnits())[codeOf(3)]).toMatchObject({ active: false, attributes: { locality_name: "Ikorodu" } })
    expect((await currentUnits())[codeOf(5)]).toMatchObject({ active: true })
  })
})
