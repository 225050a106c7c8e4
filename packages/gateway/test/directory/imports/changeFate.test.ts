import { type UnitChange, type UnitState, withAttributes } from "@postcode/core/Changes"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { type ChangeFate, changeFate, changesBetween } from "@postcode/gateway/directory/imports/changeFate"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const postcode = "LA-12-A03-BG-07" as Postcode
const successors = ["LA-12-A03-BG-08" as Postcode, "LA-12-A03-BG-09" as Postcode]

/** Few values, so that states are often equal, or differ in one part. */
const attributes = fc.record(
  { locality_name: fc.constantFrom("Ikorodu", "Ikeja"), delivery_point: fc.boolean() },
  { requiredKeys: [] }
)

const stateOf = (postcode: Postcode): fc.Arbitrary<UnitState> =>
  fc
    .record({
      lat: fc.constantFrom(6.6194, 6.6195),
      status: fc.constantFrom("active", "retired", ...successors),
      attributes
    })
    .map(({ attributes, lat, status }) => ({
      postcode,
      coordinate: { lat, lon: 3.5105 },
      active: status === "active",
      ...(status.startsWith("LA") && { replaced_by: status as Postcode }),
      attributes
    }))

const state = stateOf(postcode)
const stateOrNone = fc.option(state, { nil: undefined })

/** The state after one change, by the words that describe it. */
const apply = (state: UnitState | undefined, change: UnitChange): UnitState => {
  if (change.change === "add") {
    expect(state).toBeUndefined()
    const { active = true, attributes = {}, coordinate, postcode, replaced_by } = change
    return { postcode, coordinate, active, ...(replaced_by && { replaced_by }), attributes }
  }
  if (state === undefined) throw new Error("there is no such unit")
  const { replaced_by, ...rest } = state
  switch (change.change) {
    case "move":
      return { ...state, coordinate: change.coordinate }
    case "retire":
      return { ...state, active: false, ...(change.replaced_by && { replaced_by: change.replaced_by }) }
    case "replace":
      return { ...state, active: false, replaced_by: change.replaced_by }
    case "reactivate":
      return { ...rest, active: true }
    case "set":
      return { ...state, attributes: withAttributes(state.attributes, change.attributes) }
  }
}

describe("changes between two states of a unit", () => {
  it("lead from one state to the other, each with an effect and no kind twice", () => {
    fc.assert(
      fc.property(stateOrNone, state, (from, to) => {
        const states = [from]
        const changes = changesBetween(from, to)
        for (const change of changes) states.push(apply(states.at(-1), change))
        expect(states.at(-1)).toEqual(to)
        for (const [i, state] of states.slice(1).entries()) expect(state).not.toEqual(states[i])
        expect(new Set(changes.map(({ change }) => change)).size).toBe(changes.length)
      }),
      { seed: 23, numRuns: 2_000 }
    )
  })

  it("are empty between coordinates that the directory stores as equal", () => {
    const at = (lat: number): UnitState => ({ postcode, coordinate: { lat, lon: 3.5 }, active: true, attributes: {} })
    expect(changesBetween(at(6.6194), at(6.61940000001))).toEqual([])
    expect(changesBetween(at(6.6194), at(6.6194001))).toHaveLength(1)
  })
})

type Units = ReadonlyMap<Postcode, UnitState>

const codes = [0, 1, 2, 3, 4, 5].map((number) => `LA-12-A03-BG-1${number}` as Postcode)

const units: fc.Arbitrary<Units> = fc
  .tuple(...codes.map((code) => fc.option(stateOf(code), { nil: undefined })))
  .map((all) => new Map(all.flatMap((state) => (state === undefined ? [] : [[state.postcode, state] as const]))))

/** Three-way merge: the side that changed the unit wins. If both did, the new edition wins. */
const merge = (before: Units, changed: Units, after: Units): Units => {
  const text = (units: Units, code: Postcode) => {
    const { attributes, ...state } = units.get(code) ?? { attributes: {} as UnitAttributes }
    return JSON.stringify([Object.entries(state).sort(), Object.entries(attributes).sort()])
  }
  return new Map(
    codes.flatMap((code) => {
      const state = (text(after, code) === text(before, code) ? changed : after).get(code)
      return state === undefined ? [] : [[code, state] as const]
    })
  )
}

describe("the fate of changes in a new edition", () => {
  it("is contained, undone or superseded, and adding the undone ones to the new edition gives a three-way merge", () => {
    const found = new Set<ChangeFate>()
    fc.assert(
      fc.property(units, units, units, fc.func(fc.boolean()), (before, drawn, published, isSame) => {
        // Units are never removed by changes. Publishers take over some of them.
        const changed: Units = new Map([...before, ...drawn])
        const after: Units = new Map(
          codes.flatMap((code) => {
            const state = isSame(code) ? before.get(code) : published.get(code)
            return state === undefined ? [] : [[code, state] as const]
          })
        )
        const result = new Map(after)
        for (const [code, state] of changed) {
          const fate = changeFate({ before: before.get(code), changed: state, after: after.get(code) })
          found.add(fate)
          if (fate === "undone") {
            let unit = after.get(code)
            for (const change of changesBetween(unit, state)) unit = apply(unit, change)
            result.set(code, unit as UnitState)
          }
        }
        expect(Object.fromEntries(result)).toEqual(Object.fromEntries(merge(before, changed, after)))
      }),
      { seed: 23, numRuns: 1_000 }
    )
    expect([...found].sort()).toEqual(["contained", "superseded", "undone"])
  })
})
