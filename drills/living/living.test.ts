/** The verdict on a directory that lives, and the changes that it is given. `living.long.test.ts` runs one. */

import { decideChanges, type UnitChange, type UnitState } from "@postcode/core/Changes"
import type { Postcode } from "@postcode/core/Postcode"
import { describe, expect, it } from "vitest"
import { DemoSample, type Unit } from "../kit/DemoSample.ts"
import { type Batch, describeUnit, streamsOf, type WireChange } from "./ChangeStream.ts"
import type { StoredDirectory } from "./StoredDirectory.ts"
import type { Observation, ShownUnit } from "./Watcher.ts"
import { type Answered, wrongBatches } from "./wrongBatches.ts"
import { wrongObservations } from "./wrongObservations.ts"

const sample = new DemoSample({ units: 2_000, seed: 1 }, 400)

const batchesOf = (each: number): ReadonlyArray<Batch> =>
  streamsOf(sample, 1).flatMap((stream) => Array.from({ length: each }, () => stream.next()))

const toState = ({ lat_e7, lon_e7, replaced_by, ...unit }: Unit): UnitState => ({
  ...unit,
  coordinate: { lat: lat_e7 / 1e7, lon: lon_e7 / 1e7 },
  ...(replaced_by !== undefined && { replaced_by })
})

const toUnit = ({ coordinate, replaced_by, ...state }: UnitState): Unit => ({
  ...state,
  lat_e7: Math.round(coordinate.lat * 1e7),
  lon_e7: Math.round(coordinate.lon * 1e7),
  replaced_by
})

const toChange = ({ lat, lng, ...change }: WireChange) =>
  ({ ...change, ...(lat !== undefined && { coordinate: { lat, lon: lng } }) }) as UnitChange

it("core decides random batches as the model does, for every kind of change and fault", () => {
  const states = new Map<Postcode, UnitState>()
  const stateOf = (postcode: Postcode) => {
    const unit = sample.unit(postcode)
    return states.get(postcode) ?? (unit && toState(unit))
  }
  const kinds = new Map<string, number>()
  for (const { changes, effects } of batchesOf(60)) {
    const decision = decideChanges(stateOf, changes.map(toChange))
    const decided = decision.ok ? decision.changes.map(({ kind, unit }) => ({ kind, unit: toUnit(unit) })) : undefined
    const describeEffects = (of: typeof effects) => of?.map(({ kind, unit }) => `${kind} ${describeUnit(unit)}`)
    expect(describeEffects(decided)).toEqual(describeEffects(effects))
    for (const { kind, unit } of decided ?? []) {
      states.set(unit.postcode, toState(unit))
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    if (decided === undefined) kinds.set("fault", (kinds.get("fault") ?? 0) + 1)
  }
  expect([...kinds.keys()].sort()).toEqual(["add", "fault", "move", "reactivate", "replace", "retire", "set"])
})

describe("the verdict finds", () => {
  const answered: ReadonlyArray<Answered> = right(batchesOf(5))
  const stored = storedOf(answered)
  const found = (wrong: Readonly<Record<string, ReadonlyArray<string>>>) =>
    Object.entries(wrong)
      .filter(([, examples]) => examples.length > 0)
      .map(([promise]) => promise)
  const first = stored.batches.find(
    ({ first_change, last_change }) => last_change > first_change
  ) as Stored["batches"][0]

  it("no fault if everything is stored as it was sent", () => {
    expect(found(wrongBatches(answered, stored))).toEqual([])
  })

  it("a lost batch, and a batch that was not sent", () => {
    const others = answered.filter(({ batch }) => batch.reference !== first.reference)
    expect(found(wrongBatches(others, stored))).toEqual(["a batch that is stored and should not be"])
    const batches = stored.batches.filter((batch) => batch !== first)
    expect(found(wrongBatches(answered, { ...stored, batches }))).toContain(
      "a batch that was confirmed and is not stored"
    )
  })

  it("a refused batch that is stored", () => {
    const refused = answered.map(({ batch, entry }) => {
      const effects = batch.reference === first.reference ? undefined : batch.effects
      return { entry, batch: { ...batch, effects } }
    })
    expect(found(wrongBatches(refused, stored))).toEqual(["a batch that is stored and should not be"])
  })

  it("a batch that is stored in part, with other changes, or in another order", () => {
    const part = "a batch that is stored in part, or with other changes"
    const withRow = (at: number, row: Stored["rows"][0]) => ({ ...stored, rows: stored.rows.with(at, row) })
    const at = first.first_change - 1
    const [row, next] = stored.rows.slice(at, at + 2) as [Stored["rows"][0], Stored["rows"][0]]
    expect(found(wrongBatches(answered, withRow(at, { ...row, kind: row.kind === "set" ? "move" : "set" })))).toEqual([
      part
    ])
    const moved = { ...row, unit: { ...row.unit, lat_e7: row.unit.lat_e7 + 1 } }
    expect(found(wrongBatches(answered, withRow(at, moved)))).toEqual([part])
    const swapped = stored.rows.with(at, { ...next, number: row.number }).with(at + 1, { ...row, number: next.number })
    expect(found(wrongBatches(answered, { ...stored, rows: swapped }))).toContain(part)
    const rows = stored.rows.filter((one) => one !== row)
    expect(found(wrongBatches(answered, { ...stored, rows }))).toContain(part)
  })

  it("a gap in the numbers, a change twice, a wrong answer, and an audit log with another number of entries", () => {
    const gap = "a gap or a repetition in the numbers of changes"
    const shifted = stored.rows.map((row) => ({ ...row, number: row.number + 1 }))
    expect(found(wrongBatches(answered, { ...stored, rows: shifted }))).toEqual([gap])
    const twice = [...stored.rows, stored.rows.at(-1) as Stored["rows"][0]]
    expect(found(wrongBatches(answered, { ...stored, rows: twice }))).toEqual([gap])
    expect(found(wrongBatches(answered, { ...stored, changes: stored.changes - 1 }))).toEqual([gap])
    const other = answered.map(({ batch, entry }) => ({
      batch,
      entry: { ...entry, ...(entry.applied && { applied: { ...entry.applied, applied: entry.applied.applied + 1 } }) }
    }))
    expect(found(wrongBatches(other, stored))).toEqual(["an answer that differs from what is stored"])
    const audited = new Map(stored.audited).set(first.reference, 2)
    expect(found(wrongBatches(answered, { ...stored, audited }))).toEqual([
      "a batch without its one entry in the audit log"
    ])
  })

  it("a version within a batch, and a unit of another version than that of the answer", () => {
    const { unit } = stored.rows[first.last_change - 1] as Stored["rows"][0]
    const results = [shownOf(unit)]
    const seen = { replica: 0, edition: stored.edition, level: 5, results, changes: first.last_change } as Observation
    const observe = (fields: Partial<Observation>) => found(wrongObservations([{ ...seen, ...fields }], sample, stored))
    expect(observe({})).toEqual([])
    expect(observe({ changes: first.last_change - 1, results: [] })).toEqual(["a version within a batch"])
    const mixed = ["a unit that is not as it was at the version of the answer"]
    expect(observe({ results: [{ ...shownOf(unit), status: "not_found" }] })).toEqual(mixed)
    // The unit differs from what the edition has.
    expect(observe({ changes: 0 })).toEqual(mixed)
  })
})

type Stored = StoredDirectory

/** Answers as they should be, if the batches are stored in this order. */
function right(batches: ReadonlyArray<Batch>): ReadonlyArray<Answered> {
  let last = 0
  return batches.map((batch) => {
    const { changes, effects, lane, number } = batch
    const entry = { lane, number, attempts: 1, sent_ms: 0, answered_ms: 1 }
    if (effects === undefined) return { batch, entry }
    last += effects.length
    const applied = effects.length
    const answer = { version: `demo+${last}`, applied, unchanged: changes.length - applied, repeated: false }
    return { batch, entry: { ...entry, applied: answer } }
  })
}

function storedOf(answered: ReadonlyArray<Answered>): Stored {
  const sent = answered.flatMap(({ batch }) =>
    batch.effects === undefined ? [] : [{ ...batch, effects: batch.effects }]
  )
  let last = 0
  const batches = sent.map(({ changes, effects, reference }) => {
    const first_change = last + 1
    last += effects.length
    return { reference, first_change, last_change: last, unchanged: changes.length - effects.length }
  })
  const rows = sent
    .flatMap(({ effects, reference }) => effects.map((effect) => ({ ...effect, reference })))
    .map((row, at) => ({ ...row, number: at + 1 }))
  const none = { codes: new Float64Array(), lats_e7: new Int32Array(), lons_e7: new Int32Array() }
  return {
    edition: "demo",
    changes: rows.length,
    batches,
    rows,
    audited: new Map(sent.map(({ effects, reference }) => [reference, effects.length > 0 ? 1 : 0])),
    units: { ...none, actives: new Uint8Array(), successors: new Float64Array() }
  }
}

/** A unit in an answer at level 5. */
function shownOf({ active, attributes, lat_e7, lon_e7, postcode, replaced_by }: Unit): ShownUnit {
  if (!active) return { postcode, status: "retired", ...(replaced_by !== undefined && { replaced_by }) }
  const { building_owner, building_type, building_use_status, delivery_point, locality_name, recent_address } =
    attributes
  return {
    postcode,
    status: "valid",
    administrative_address: { ...(locality_name !== undefined && { locality_name }) },
    recent_house_address: { ...(recent_address !== undefined && { recent: recent_address }) },
    ...(building_use_status !== undefined && { building_use_status }),
    other_building_info: {
      ...(building_type !== undefined && { type: building_type }),
      ...(building_owner !== undefined && { owner: building_owner }),
      ...(delivery_point !== undefined && { delivery_point })
    },
    point_geometry: { coordinates: [lon_e7 / 1e7, lat_e7 / 1e7] }
  }
}
