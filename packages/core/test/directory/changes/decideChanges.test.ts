// The decision on changes is held against a model that knows one unit at a time and has no rules in common with it.

import { decideChanges, isSameState, postcodesOf, type UnitChange, type UnitState } from "@postcode/core/Changes"
import type { Postcode } from "@postcode/core/Postcode"
import { attributeNames } from "@postcode/core/UnitAttributes"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const [a, b, c] = ["LA-10-A01-AA-00", "LA-10-A01-AA-01", "KN-11-B02-AB-07"] as ReadonlyArray<string> as [
  Postcode,
  Postcode,
  Postcode
]
const here = { lat: 6.4541, lon: 3.3947 }
const there = { lat: 9.0765, lon: 7.3986 }

const stateOf = (postcode: Postcode, more: Partial<UnitState> = {}): UnitState => ({
  postcode,
  coordinate: here,
  active: true,
  attributes: {},
  ...more
})

const decide = (states: ReadonlyArray<UnitState>, ...changes: ReadonlyArray<unknown>) => {
  const known = new Map(states.map((state) => [state.postcode, state]))
  return decideChanges((postcode) => known.get(postcode), changes as ReadonlyArray<UnitChange>)
}

const faultsOf = (states: ReadonlyArray<UnitState>, ...changes: ReadonlyArray<unknown>) => {
  const decision = decide(states, ...changes)
  return decision.ok ? [] : decision.faults
}

const unknownUnit = "postcode: no unit has it; add it first"
const otherPlace =
  "postcode: a unit has it already, in another place or of another status; move, retire or reactivate that one"
const otherAttributes = "postcode: a unit has it already, with other attributes; set those"
const badPoint = "coordinate: expected a latitude from -90 to 90 and a longitude from -180 to 180"
const names = attributeNames.join(", ")

describe("a fault of a change", () => {
  const active = stateOf(a)
  const retired = stateOf(a, { active: false, replaced_by: b })

  it.each<readonly [fault: string, state: UnitState | undefined, change: unknown]>([
    ['expected a change like { "change": "retire", "postcode": … }', active, null],
    ['expected a change like { "change": "retire", "postcode": … }', active, []],
    ["change: expected one of add, move, retire, replace, reactivate, set", active, { change: "remove", postcode: a }],
    ["postcode: state: expected 2 letters at position 0", active, { change: "retire" }],
    [
      "postcode: expected canonical format, like LA-12-A03-BG-07",
      active,
      { change: "retire", postcode: "la10a01aa00" }
    ],
    [unknownUnit, undefined, { change: "move", postcode: a, coordinate: here }],
    [unknownUnit, undefined, { change: "retire", postcode: a }],
    [unknownUnit, undefined, { change: "replace", postcode: a, replaced_by: b }],
    [unknownUnit, undefined, { change: "reactivate", postcode: a }],
    [unknownUnit, undefined, { change: "set", postcode: a, attributes: {} }],
    [otherPlace, active, { change: "add", postcode: a, coordinate: there }],
    [otherPlace, active, { change: "add", postcode: a, coordinate: here, active: false }],
    [otherPlace, retired, { change: "add", postcode: a, coordinate: here }],
    [otherPlace, retired, { change: "add", postcode: a, coordinate: here, active: false, replaced_by: c }],
    [otherAttributes, active, { change: "add", postcode: a, coordinate: here, attributes: { building_type: "hut" } }],
    [badPoint, active, { change: "move", postcode: a }],
    [badPoint, active, { change: "move", postcode: a, coordinate: { lat: 90.1, lon: 0 } }],
    [badPoint, active, { change: "move", postcode: a, coordinate: { lat: 0, lon: Number.NaN } }],
    [badPoint, undefined, { change: "add", postcode: a, coordinate: { lat: "6", lon: 3 } }],
    ["active: expected true or false", undefined, { change: "add", postcode: a, coordinate: here, active: 1 }],
    [
      "replaced_by: expected nothing, as the unit is active",
      undefined,
      { change: "add", postcode: a, coordinate: here, replaced_by: b }
    ],
    [
      "replaced_by: expected nothing, as the unit is active",
      retired,
      { change: "reactivate", postcode: a, replaced_by: b }
    ],
    ["replaced_by: expected the postcode of another unit", active, { change: "retire", postcode: a, replaced_by: a }],
    ["replaced_by: expected the postcode of another unit", active, { change: "replace", postcode: a, replaced_by: a }],
    ["replaced_by: state: expected 2 letters at position 0", active, { change: "replace", postcode: a }],
    [`attributes: expected an object with some of ${names}`, active, { change: "set", postcode: a }],
    [`attributes: expected an object with some of ${names}`, active, { change: "set", postcode: a, attributes: "hut" }],
    [
      `attributes.color: expected one of ${names}`,
      active,
      { change: "set", postcode: a, attributes: { color: "red" } }
    ],
    [
      "attributes.building_type: expected text without NUL characters, or null to remove it",
      active,
      { change: "set", postcode: a, attributes: { building_type: "" } }
    ],
    [
      "attributes.building_type: expected text without NUL characters, or null to remove it",
      active,
      { change: "set", postcode: a, attributes: { building_type: "a\0b" } }
    ],
    [
      "attributes.recent_address: expected text without invisible characters, found U+202E, or null to remove it",
      active,
      { change: "set", postcode: a, attributes: { recent_address: "1 High Street\u202e" } }
    ],
    [
      "attributes.building_owner: expected text without invisible characters, found U+200B",
      undefined,
      { change: "add", postcode: a, coordinate: here, attributes: { building_owner: "\u200b" } }
    ],
    [
      "attributes.building_owner: expected text without NUL characters",
      undefined,
      { change: "add", postcode: a, coordinate: here, attributes: { building_owner: null } }
    ],
    [
      "attributes.recent_address: expected at most 1000 characters, or null to remove it",
      active,
      { change: "set", postcode: a, attributes: { recent_address: "x".repeat(1001) } }
    ],
    [
      "attributes.delivery_point: expected true or false, or null to remove it",
      active,
      { change: "set", postcode: a, attributes: { delivery_point: "yes" } }
    ]
  ])("%s", (reason, state, change) => {
    expect(faultsOf(state === undefined ? [] : [state], change)).toEqual([{ index: 0, reason }])
  })

  it("has its index, and no change of the batch has an effect", () => {
    const changes = [
      { change: "retire", postcode: b },
      { change: "retire", postcode: a },
      { change: "add", postcode: b, coordinate: { lat: 100, lon: 0 } },
      { change: "retire", postcode: b }
    ]
    expect(faultsOf([active], ...changes)).toEqual([
      { index: 0, reason: unknownUnit },
      { index: 2, reason: badPoint },
      { index: 3, reason: unknownUnit }
    ])
  })
})

describe("changes that repeat the current state", () => {
  const active = stateOf(a, { attributes: { building_type: "hut" } })
  const retired = stateOf(b, { active: false, replaced_by: c })

  it.each<readonly [string, UnitChange]>([
    ["add", { change: "add", postcode: a, coordinate: here }],
    ["add with the same attributes", { change: "add", postcode: a, coordinate: here, attributes: active.attributes }],
    ["add a retired unit", { change: "add", postcode: b, coordinate: here, active: false }],
    [
      "add a retired unit with its successor",
      { change: "add", postcode: b, coordinate: here, active: false, replaced_by: c }
    ],
    ["move", { change: "move", postcode: a, coordinate: here }],
    [
      "move by less than the directory stores",
      { change: "move", postcode: a, coordinate: { lat: 6.45410003, lon: 3.3947 } }
    ],
    ["retire", { change: "retire", postcode: b }],
    ["retire with the same successor", { change: "retire", postcode: b, replaced_by: c }],
    ["replace", { change: "replace", postcode: b, replaced_by: c }],
    ["reactivate", { change: "reactivate", postcode: a }],
    ["set nothing", { change: "set", postcode: a, attributes: {} }],
    ["set the same", { change: "set", postcode: a, attributes: { building_type: "hut", building_owner: null } }]
  ])("%s: no effect, and no fault", (_, change) => {
    expect(decide([active, retired], change)).toEqual({ ok: true, changes: [], unchanged: 1, removals: 0 })
  })
})

describe("states after changes", () => {
  it("have coordinates as the directory stores them", () => {
    const coordinate = { lat: -0.00000004, lon: 3.123456789 }
    const decision = decide([], { change: "add", postcode: a, coordinate })
    expect(decision).toEqual({
      ok: true,
      changes: [{ kind: "add", unit: stateOf(a, { coordinate: { lat: 0, lon: 3.1234568 } }) }],
      unchanged: 0,
      removals: 0
    })
  })

  it("are equal for any order of attributes, and different with any other field", () => {
    const state = stateOf(a, { attributes: { building_type: "x", delivery_point: false } })
    expect(isSameState(state, { ...state, attributes: { delivery_point: false, building_type: "x" } })).toBe(true)
    const others: ReadonlyArray<Partial<UnitState>> = [
      { active: false },
      { replaced_by: b },
      { coordinate: there },
      { attributes: {} },
      { attributes: { building_type: "x", delivery_point: true } },
      { attributes: { building_type: "x", building_owner: "y" } }
    ]
    for (const other of others) expect(isSameState(state, { ...state, ...other })).toBe(false)
  })

  it("need the states of the distinct well-formed postcodes", () => {
    const changes = [
      { change: "retire", postcode: a },
      { change: "retire", postcode: "nonsense" },
      null,
      { change: "replace", postcode: b, replaced_by: c },
      { change: "reactivate", postcode: a }
    ] as ReadonlyArray<unknown>
    expect(postcodesOf(changes as ReadonlyArray<UnitChange>)).toEqual([a, b])
  })
})

const postcode = fc.constantFrom(a, b, c)
const coordinate = fc.constantFrom(here, there)
const text = fc.constantFrom("hut", "flat")
const attributes = fc.record({ building_type: text, delivery_point: fc.boolean() }, { requiredKeys: [] })
const anyChange: fc.Arbitrary<UnitChange> = fc.oneof(
  fc
    .record(
      { postcode, coordinate, active: fc.boolean(), replaced_by: postcode, attributes },
      { requiredKeys: ["postcode", "coordinate"] }
    )
    .map((fields) => ({ change: "add" as const, ...fields })),
  fc.record({ postcode, coordinate }).map((fields) => ({ change: "move" as const, ...fields })),
  fc
    .record({ postcode, replaced_by: postcode }, { requiredKeys: ["postcode"] })
    .map((fields) => ({ change: "retire" as const, ...fields })),
  fc.record({ postcode, replaced_by: postcode }).map((fields) => ({ change: "replace" as const, ...fields })),
  fc.record({ postcode }).map((fields) => ({ change: "reactivate" as const, ...fields })),
  fc
    .record({
      postcode,
      attributes: fc.record(
        { building_type: fc.option(text), delivery_point: fc.option(fc.boolean()) },
        { requiredKeys: [] }
      )
    })
    .map((fields) => ({ change: "set" as const, ...fields }))
)

/** A unit of the model, as a flat record of texts. */
type Flat = Readonly<Record<string, string>>

const flat = ({ active, attributes, coordinate, replaced_by }: UnitState): Flat => ({
  at: coordinate === here ? "here" : coordinate.lat === here.lat ? "here" : "there",
  status: active ? "active" : `retired, ${replaced_by ?? "no successor"}`,
  type: attributes.building_type ?? "",
  delivery: String(attributes.delivery_point ?? "")
})

/** The model: the unit after a change, or undefined if the change is a fault. */
const next = (unit: Flat | undefined, change: UnitChange): Flat | undefined => {
  const { postcode, replaced_by } = { replaced_by: undefined, ...change } as {
    postcode: Postcode
    replaced_by?: Postcode | undefined
  }
  const at = "coordinate" in change ? { at: change.coordinate === here ? "here" : "there" } : {}
  const given = "attributes" in change ? change.attributes : undefined
  const known = {
    ...(given?.building_type !== undefined && { type: given.building_type ?? "" }),
    ...(given?.delivery_point !== undefined && { delivery: String(given.delivery_point ?? "") })
  }
  const isActiveAfter = change.change === "add" ? (change.active ?? true) : change.change === "reactivate"
  if (change.change !== "move" && replaced_by !== undefined && (replaced_by === postcode || isActiveAfter))
    return undefined
  const successor = replaced_by ?? (unit?.status?.startsWith("retired") ? unit.status.slice(9) : "no successor")
  const status = { status: isActiveAfter ? "active" : `retired, ${successor}` }
  if (change.change === "add") {
    const blank = given === undefined ? {} : { type: "", delivery: "" }
    const whole: Flat = { type: "", delivery: "", ...unit, ...blank, ...at, ...status, ...known }
    return unit === undefined || same(unit, whole) ? whole : undefined
  }
  if (unit === undefined) return undefined
  return { ...unit, ...at, ...(change.change === "move" || change.change === "set" ? {} : status), ...known }
}

const same = (a: Flat, b: Flat): boolean => ["at", "status", "type", "delivery"].every((field) => a[field] === b[field])

describe("a decision", () => {
  it("has the faults, effects and states of the model", () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 4 }), fc.array(anyChange, { maxLength: 12 }), (earlier, changes) => {
        const states = new Map<Postcode, UnitState>()
        const units = new Map<Postcode, Flat>()
        for (const change of earlier) {
          const decision = decideChanges((postcode) => states.get(postcode), [change])
          if (decision.ok) for (const { unit } of decision.changes) states.set(unit.postcode, unit)
        }
        for (const [postcode, state] of states) units.set(postcode, flat(state))
        const decision = decideChanges((postcode) => states.get(postcode), changes)
        const faults: Array<number> = []
        const effects: Array<readonly [string, Postcode, Flat]> = []
        for (const [index, change] of changes.entries()) {
          const before = units.get(change.postcode)
          const after = next(before, change)
          if (after === undefined) faults.push(index)
          else if (before === undefined || !same(before, after)) {
            units.set(change.postcode, after)
            effects.push([change.change, change.postcode, after])
          }
        }
        if (decision.ok) {
          expect(faults).toEqual([])
          expect(decision.changes.map(({ kind, unit }) => [kind, unit.postcode, flat(unit)])).toEqual(effects)
          expect(decision.unchanged).toBe(changes.length - effects.length)
        } else expect(decision.faults.map(({ index }) => index)).toEqual(faults)
      }),
      { numRuns: 2_000, seed: 23 }
    )
  })
})
