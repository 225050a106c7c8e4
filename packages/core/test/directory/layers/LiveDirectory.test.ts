// A directory that changes is held against one built anew of the units as they are: whatever is asked, both have to
// answer the same. The units crowd a few points and a few codes, so that ties, shared branches and changes to the same
// unit are common.
import { complete } from "@postcode/core/Autocomplete"
import { fromE7, toE7 } from "@postcode/core/Coordinate"
import { Directory, type DirectoryContents, type Place } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import {
  extendDirectory,
  LiveDirectory,
  mergeTaskOf,
  runMergeTask,
  type UnitChange,
  type UnitPlace,
  type UnitStates,
  unitStatesOf
} from "@postcode/core/LiveDirectory"
import { compact, display, type Postcode } from "@postcode/core/Postcode"
import { type Hit, nearest, within } from "@postcode/core/ReverseGeocoder"
import { describe, expect, it, vi } from "vitest"
import { cases } from "../../../../../test/Cases.ts"
import { randomNumbers } from "../../../../../test/RandomNumbers.ts"
import { directoryFrom } from "../BuiltDirectory.ts"
import { snapshotOf } from "../snapshot/SnapshotBytes.ts"

interface Unit {
  readonly lat_e7: number
  readonly lon_e7: number
  readonly active: boolean
  readonly replaced_by?: Postcode | undefined
}

type Model = Map<Postcode, Unit>

const chooser = (seed: number) => {
  const next = randomNumbers(seed)
  const below = (count: number) => Math.floor(next() * count)
  const one = <T>(values: ReadonlyArray<T>): T => values[below(values.length)] as T
  return { below, one, fraction: next, chance: (share: number) => next() < share }
}

type Chooser = ReturnType<typeof chooser>

const places: ReadonlyArray<Place> = (
  [
    ["LA", "Lagos", "South West"],
    ["LA-10", "Ikeja"],
    ["LA-11", "Ikorodu"],
    ["KN", "Kano", "North West"],
    ["KN-10", "Kano Municipal"],
    ["OY", "Oyo", "South West"]
  ] as const
).map(([code, name, zone]) => ({ code, name, ...(zone !== undefined && { zone }) }) as Place)

const anyPostcode = ({ one }: Chooser): Postcode =>
  [
    one(["LA", "KN", "OY", "ZZ"]),
    one(["10", "11"]),
    one(["A01", "A02", "00B"]),
    one(["AA", "AB"]),
    one(["00", "01", "07", "99"])
  ].join("-") as Postcode

/** A lattice of a few metres around two points in the country, two on the antimeridian, and a pole. */
const anyPlace = ({ below, one }: Chooser): Pick<Unit, "lat_e7" | "lon_e7"> => {
  const [lat, lon] = one([
    [64_541_000, 33_947_000],
    [64_541_000, 33_957_000],
    [-170_000_000, 1_799_999_800],
    [-170_000_000, -1_799_999_900],
    [899_999_700, 10]
  ] as const)
  return { lat_e7: lat + 100 * below(4), lon_e7: Math.min(lon + 100 * below(3), 1_800_000_000) }
}

const coordinateOf = ({ lat_e7, lon_e7 }: Pick<Unit, "lat_e7" | "lon_e7">) => ({
  lat: fromE7(lat_e7),
  lon: fromE7(lon_e7)
})

const build = (model: Model, allPlaces = places): Directory => {
  const builder = new DirectoryBuilder({ version: "2026-1", date: "2026-01-31" })
  for (const place of allPlaces) expect(builder.addPlace(place)).toEqual({ ok: true })
  for (const [postcode, unit] of model) {
    builder.addUnit(postcode, coordinateOf(unit), unit.active, { replaced_by: unit.replaced_by })
  }
  return directoryFrom(builder)
}

const anySuccessor = (random: Chooser, of: Postcode): { readonly replaced_by?: Postcode } => {
  const replaced_by = anyPostcode(random)
  return replaced_by === of || random.chance(0.4) ? {} : { replaced_by }
}

const randomModel = (random: Chooser, units: number): Model => {
  const model: Model = new Map()
  for (let at = 0; at < units; at++) {
    const postcode = anyPostcode(random)
    const active = random.chance(0.8)
    model.set(postcode, { ...anyPlace(random), active, ...(active ? {} : anySuccessor(random, postcode)) })
  }
  return model
}

/** A change that can be, and the model as it leaves it. */
const change = (random: Chooser, model: Model): UnitChange => {
  const postcode = anyPostcode(random)
  const known = model.get(postcode)
  if (known === undefined) {
    const active = random.chance(0.8)
    const state = active ? {} : { active, ...anySuccessor(random, postcode) }
    const unit = { active, ...anyPlace(random), ...state }
    model.set(postcode, unit)
    return { change: "add", postcode, coordinate: coordinateOf(unit), ...state }
  }
  if (random.chance(0.4)) {
    const place = anyPlace(random)
    model.set(postcode, { ...known, ...place })
    return { change: "move", postcode, coordinate: coordinateOf(place) }
  }
  const active = random.chance(0.4)
  if (active) {
    model.set(postcode, { ...known, active, replaced_by: undefined })
    return { change: "reactivate", postcode }
  }
  const successor = anySuccessor(random, postcode)
  model.set(postcode, { ...known, active, ...successor })
  return { change: "retire", postcode, ...successor }
}

const changes = (random: Chooser, model: Model, count: number): ReadonlyArray<UnitChange> =>
  Array.from({ length: count }, () => change(random, model))

const typed = ["", "l", "la", "LA1", "la10a", "la-10-a01", "LA 10 A01 A", "la10a01aa", "LA-10-A01-AA-0"].concat(
  ["kn", "kn1", "zz", "zz11", "oy", "o", "z", "k", "la11", "lago", "la ik", "kano", "kn muni", "qq", "11"],
  ["LA-10-A01-AA-00", "la1000baa99", "ZZ-11-A02-AB-07", "la10a01aa9"]
)

/** Hits by what does not hang on a directory's own ids. */
const shown = (directory: Directory, hits: ReadonlyArray<Hit>) =>
  hits.map(({ distance_m, id }) => [directory.postcodeAt(id), distance_m])

const everyPostcode = ((): ReadonlyArray<Postcode> => {
  const found = new Set<Postcode>()
  const random = chooser(1)
  while (found.size < 4 * 2 * 3 * 2 * 4) found.add(anyPostcode(random))
  return [...found]
})()

/** All that can be asked of a directory, at a few points and of every postcode. */
const answersOf = (directory: Directory, random: Chooser) => {
  const units = everyPostcode.map((postcode) => {
    const id = directory.find(postcode)
    expect(directory.statusOf(display(postcode).toLowerCase())).toBe(directory.status(postcode))
    expect(directory.has(compact(postcode))).toBe(directory.status(postcode) === "active")
    const status = [directory.status(postcode), directory.replacedBy(postcode)]
    if (id < 0) return [postcode, status, directory.placeNames(postcode)]
    expect(directory.postcodeAt(id)).toBe(postcode)
    return [postcode, status, directory.isActive(id), directory.coordinateAt(id)]
  })
  const states = ["LA", "KN", "OY", "ZZ", "QQ", "la"]
  const branches = states.map((state) => [
    directory.lgas(state),
    ...["10", "11", "12"].map((lga) => [
      directory.districts(state, lga),
      ...["A01", "A02", "00B"].map((district) => directory.areas(state, lga, district))
    ])
  ])
  const searches = Array.from({ length: 6 }, () => {
    const center = coordinateOf(anyPlace(random))
    const limit = 1 + random.below(30)
    const hit = nearest(directory, center, 25)
    return [
      shown(directory, hit === undefined ? [] : [hit]),
      shown(directory, within(directory, center, random.one([0, 5, 2000]), limit))
    ]
  })
  const completions = typed.map((q) => [complete(directory, q, 20), complete(directory, q, 1 + random.below(3))])
  const { activeSize, date, size, version } = directory
  const counts = directory.branchCounts()
  return { size, activeSize, version, date, units, states: directory.states(), branches, counts, searches, completions }
}

const expectSame = (directory: Directory, model: Model, seed: number): void =>
  expect(answersOf(directory, chooser(seed))).toEqual(answersOf(build(model), chooser(seed)))

describe("a directory that changes", () => {
  it("has the same results as one that is built of its current units", () => {
    for (let seed = 1; seed <= cases(12); seed++) {
      const random = chooser(seed)
      const model = randomModel(random, random.one([0, 20, 150]))
      const live = new LiveDirectory(build(model))
      let effective = 0
      for (let step = 0; step < 12; step++) {
        const result = live.apply(changes(random, model, random.one([1, 1, 2, 5, 40])))
        if (!result.ok) throw new Error(JSON.stringify(result.faults))
        effective += result.applied
        expect(live.current).toBe(result.directory)
        expect(live.current.changes).toBe(effective)
        expectSame(live.current, model, seed)
      }
    }
  })

  it("does not change directories that were read from it before", () => {
    const random = chooser(5)
    const model = randomModel(random, 100)
    const live = new LiveDirectory(build(model))
    const versions: Array<readonly [Directory, Model]> = [[live.current, new Map(model)]]
    for (let step = 0; step < 40; step++) {
      expect(live.apply(changes(random, model, random.one([1, 3, 20]))).ok).toBe(true)
      versions.push([live.current, new Map(model)])
    }
    for (const [at, [directory, then]] of versions.entries()) expectSame(directory, then, at)
  })

  it("has the latest state of a unit that changes repeatedly", () => {
    const random = chooser(6)
    const model = randomModel(random, 40)
    const live = new LiveDirectory(build(model))
    for (let step = 0; step < 1_500; step++) expect(live.apply(changes(random, model, 1)).ok).toBe(true)
    expectSame(live.current, model, 6)
  })

  it("lists nothing below a code that is malformed", () => {
    const random = chooser(7)
    const model = randomModel(random, 100)
    const live = new LiveDirectory(build(model))
    expect(live.apply(changes(random, model, 60)).ok).toBe(true)
    for (const malformed of ["??", "", "1", "AAA"]) {
      expect(live.current.lgas(malformed)).toBeUndefined()
      for (const { code: state } of live.current.states()) {
        expect(live.current.districts(state, malformed)).toBeUndefined()
        for (const { code: lga } of live.current.lgas(state) ?? []) {
          expect(live.current.areas(state, lga, malformed)).toBeUndefined()
        }
      }
    }
  })

  it("finds retired, moved and added units after thousands of changes", () => {
    const random = chooser(9)
    const model: Model = new Map()
    const postcodeOf = (number: number) =>
      `LA-${10 + (number % 3)}-A${String(number % 89).padStart(2, "0")}-AA-${String(Math.trunc(number / 267) % 100).padStart(2, "0")}` as Postcode
    for (let number = 0; number < 5_000; number++) model.set(postcodeOf(number), { ...anyPlace(random), active: true })
    const live = new LiveDirectory(build(model))
    for (let number = 4_000; number < 9_000; number++) {
      const postcode = postcodeOf(number)
      const known = model.get(postcode)
      const place = anyPlace(random)
      const coordinate = coordinateOf(place)
      model.set(postcode, { ...place, active: known?.active ?? true })
      const applied = live.apply([{ change: known === undefined ? "add" : "move", postcode, coordinate }])
      expect(applied.ok).toBe(true)
    }
    const rebuilt = build(model)
    expect(live.current.size).toBe(rebuilt.size)
    for (let query = 0; query < 200; query++) {
      const center = coordinateOf(anyPlace(random))
      const found = [live.current, rebuilt].map((directory) => shown(directory, within(directory, center, 30, 500)))
      expect(found[0]).toEqual(found[1])
    }
    for (const [postcode, unit] of model) {
      const id = live.current.find(postcode)
      expect(live.current.coordinateAt(id)).toEqual(coordinateOf(unit))
    }
  })

  it("finds changed units wherever on the globe they are", () => {
    const random = chooser(13)
    const e7 = (degrees: number, limit: number) => Math.min(Math.max(Math.round(degrees * 1e7), -limit), limit)
    const model: Model = new Map()
    const live = new LiveDirectory(build(model))
    const centers = Array.from({ length: 300 }, () => ({
      lat: random.one([90, 60, 10, 0.001]) * (2 * random.fraction() - 1),
      lon: random.one([180, 179.9999, 3]) * (random.chance(0.3) ? random.one([-1, 1]) : 2 * random.fraction() - 1)
    }))
    const units = centers.flatMap(({ lat, lon }, at) =>
      Array.from({ length: 3 }, (_, unit): UnitChange => {
        const [north, east] = [0, 0].map(() => 10 ** -random.one([3, 4, 5]) * (2 * random.fraction() - 1)) as [
          number,
          number
        ]
        const place = { lat_e7: e7(lat + north, 9e8), lon_e7: e7(lon + east, 18e8) }
        const postcode = `LA-10-${String(at).padStart(3, "0")}-AA-0${unit}` as Postcode
        model.set(postcode, { ...place, active: true })
        return { change: "add", postcode, coordinate: coordinateOf(place) }
      })
    )
    for (let at = 0; at < units.length; at += 10) expect(live.apply(units.slice(at, at + 10)).ok).toBe(true)
    const rebuilt = build(model)
    for (const center of centers) {
      for (const radius_m of [0, 2, 25, 300, 2000]) {
        const limit = random.one([1, 10])
        const expected = shown(rebuilt, within(rebuilt, center, radius_m, limit))
        expect(shown(live.current, within(live.current, center, radius_m, limit))).toEqual(expected)
      }
    }
  })

  it("has a function that finds its units by the same ids after it was collected", () => {
    const random = chooser(14)
    const model = randomModel(random, 100)
    const opened = Directory.open(snapshotOf(build(model)))
    const live = new LiveDirectory(opened)
    live.apply(changes(random, model, 30))
    for (const directory of [opened, live.current]) {
      const find = directory.finder()
      for (const postcode of everyPostcode) expect(find(postcode)).toBe(directory.find(postcode))
    }
  })

  it("keeps the publisher's version, and counts the changes since", () => {
    const live = small()
    live.apply([{ change: "retire", postcode: known }])
    live.apply([{ change: "reactivate", postcode: known }])
    const { current } = live
    expect([current.version, current.date, current.changes]).toEqual(["2026-1", "2026-01-31", 2])
    expect(current.contents.changes).toBe(2)
    expect(live.current).toBe(current)
  })

  it("refuses an unknown id", () => {
    const live = new LiveDirectory(build(new Map([["LA-10-A01-AA-00" as Postcode, { ...origin, active: true }]])))
    live.apply([{ change: "add", postcode: "LA-10-A01-AA-01" as Postcode, coordinate: coordinateOf(origin) }])
    for (const id of [-1, 2, 0.5, Number.NaN]) {
      expect(() => live.current.postcodeAt(id)).toThrow(RangeError)
      expect(() => live.current.coordinateAt(id)).toThrow(RangeError)
      expect(() => live.current.isActive(id)).toThrow(RangeError)
    }
  })
})

const origin = { lat_e7: 64_541_000, lon_e7: 33_947_000 }
const here = coordinateOf(origin)
const there = { lat: 6.5, lon: 3.4 }
const known = "LA-10-A01-AA-00" as Postcode
const gone = "LA-10-A01-AA-01" as Postcode
const unknown = "LA-10-A01-AA-02" as Postcode

/** A directory of two units: `known` is active, `gone` is retired, both at `here`. */
const small = (): LiveDirectory =>
  new LiveDirectory(
    build(
      new Map([
        [known, { ...origin, active: true }],
        [gone, { ...origin, active: false }]
      ])
    )
  )

describe("changes", () => {
  it.each<[string, unknown, string]>([
    [
      "move an unknown unit",
      { change: "move", postcode: unknown, coordinate: here },
      "postcode: no unit has it; add it first"
    ],
    ["retire an unknown unit", { change: "retire", postcode: unknown }, "postcode: no unit has it; add it first"],
    [
      "reactivate an unknown unit",
      { change: "reactivate", postcode: unknown },
      "postcode: no unit has it; add it first"
    ],
    [
      "add a unit that is there, in another place",
      { change: "add", postcode: known, coordinate: there },
      "postcode: a unit has it already, in another place or of another status; move, retire or reactivate that one"
    ],
    [
      "add a unit that is there, retired",
      { change: "add", postcode: gone, coordinate: here },
      "postcode: a unit has it already, in another place or of another status; move, retire or reactivate that one"
    ],
    [
      "name the unit loosely",
      { change: "retire", postcode: "la10a01aa00" },
      "postcode: expected canonical format, like LA-12-A03-BG-07"
    ],
    ["name no unit", { change: "retire", postcode: "LA-1" }, "postcode: lga: expected 2 digits at position 3"],
    ["have no postcode", { change: "retire" }, "postcode: state: expected 2 letters at position 0"],
    [
      "have a latitude out of range",
      { change: "move", postcode: known, coordinate: { lat: 90.1, lon: 0 } },
      "coordinate: expected a latitude from -90 to 90 and a longitude from -180 to 180"
    ],
    [
      "have a coordinate in texts",
      { change: "add", postcode: unknown, coordinate: { lat: "6", lon: "3" } },
      "coordinate: expected a latitude from -90 to 90 and a longitude from -180 to 180"
    ],
    [
      "have no coordinate",
      { change: "add", postcode: unknown },
      "coordinate: expected a latitude from -90 to 90 and a longitude from -180 to 180"
    ],
    [
      "say active in another way",
      { change: "add", postcode: unknown, coordinate: here, active: "yes" },
      "active: expected true or false"
    ],
    [
      "add an active unit with a successor",
      { change: "add", postcode: unknown, coordinate: here, replaced_by: known },
      "replaced_by: expected nothing, as the unit is active"
    ],
    [
      "reactivate a unit with a successor",
      { change: "reactivate", postcode: gone, replaced_by: known },
      "replaced_by: expected nothing, as the unit is active"
    ],
    [
      "replace a unit by itself",
      { change: "retire", postcode: known, replaced_by: known },
      "replaced_by: expected the postcode of another unit"
    ],
    [
      "name the successor loosely",
      { change: "retire", postcode: known, replaced_by: "la10a01aa01" },
      "replaced_by: expected canonical format, like LA-12-A03-BG-07"
    ],
    [
      "name no successor",
      { change: "retire", postcode: known, replaced_by: null },
      "replaced_by: state: expected 2 letters at position 0"
    ],
    [
      "be of no kind",
      { change: "delete", postcode: known },
      "change: expected one of add, move, retire, replace, reactivate, set"
    ],
    ["be nothing", null, 'expected a change like { "change": "retire", "postcode": … }']
  ])("must not %s", (_, change, reason) => {
    const live = small()
    const { current } = live
    const good: UnitChange = { change: "retire", postcode: known }
    const result = live.apply([good, change as UnitChange])
    expect(result).toEqual({ ok: false, faults: [{ index: 1, reason }] })
    expect(live.current).toBe(current)
    expect(live.current.status(known)).toBe("active")
  })

  it("report every fault together, each as if there were no other", () => {
    const faults = small().apply([
      { change: "retire", postcode: unknown },
      { change: "add", postcode: unknown, coordinate: here },
      { change: "retire", postcode: unknown },
      { change: "add", postcode: unknown, coordinate: here }
    ])
    const exists = expect.stringContaining("a unit has it already")
    expect(faults).toEqual({
      ok: false,
      faults: [
        { index: 0, reason: "postcode: no unit has it; add it first" },
        { index: 3, reason: exists }
      ]
    })
  })

  it("may repeat the current state, which changes nothing", () => {
    const live = small()
    const { current } = live
    const repeated: ReadonlyArray<UnitChange> = [
      { change: "retire", postcode: gone },
      { change: "reactivate", postcode: known },
      { change: "move", postcode: known, coordinate: here },
      { change: "add", postcode: known, coordinate: here },
      { change: "add", postcode: gone, coordinate: here, active: false }
    ]
    expect(live.apply(repeated)).toEqual({ ok: true, directory: current, applied: 0 })
    expect(live.apply([])).toEqual({ ok: true, directory: current, applied: 0 })
    expect(live.current).toBe(current)
  })

  it("name a successor, which need not exist, until the unit is reactivated", () => {
    const live = small()
    const successorAfter = (...changes: ReadonlyArray<UnitChange>) => {
      expect(live.apply(changes).ok).toBe(true)
      return live.current.replacedBy(known)
    }
    expect(successorAfter({ change: "retire", postcode: known, replaced_by: unknown })).toBe(unknown)
    expect(successorAfter({ change: "retire", postcode: known })).toBe(unknown)
    expect(successorAfter({ change: "move", postcode: known, coordinate: there })).toBe(unknown)
    expect(successorAfter({ change: "retire", postcode: known, replaced_by: gone })).toBe(gone)
    expect(live.current.changes).toBe(3)
    expect(successorAfter({ change: "reactivate", postcode: known })).toBeUndefined()
    expect(successorAfter({ change: "retire", postcode: known })).toBeUndefined()
  })

  it("apply in order within a batch", () => {
    const live = small()
    const result = live.apply([
      { change: "add", postcode: unknown, coordinate: here },
      { change: "retire", postcode: unknown },
      { change: "move", postcode: unknown, coordinate: there },
      { change: "reactivate", postcode: gone },
      { change: "retire", postcode: gone }
    ])
    expect(result.ok && result.applied).toBe(5)
    expect([unknown, gone].map((postcode) => live.current.status(postcode))).toEqual(["retired", "retired"])
    expect(live.current.coordinateAt(live.current.find(unknown))).toEqual(there)
    expect([live.current.size, live.current.activeSize, live.current.changes]).toEqual([3, 1, 5])
  })
})

describe("states from another replica", () => {
  /** The states of the model's units that differ from those of another one. */
  const statesSince = (before: Model, model: Model): UnitStates => {
    const changed = [...model].filter(([postcode, unit]) => before.get(postcode) !== unit)
    return unitStatesOf(changed.map(([postcode, unit]) => ({ ...unit, postcode, coordinate: coordinateOf(unit) })))
  }

  it("are shown together after any number of steps, and do not change older directories", () => {
    for (let seed = 1; seed <= cases(6); seed++) {
      const random = chooser(seed)
      const model = randomModel(random, random.one([0, 20, 150]))
      const live = new LiveDirectory(build(model))
      const versions: Array<readonly [Directory, Model]> = [[live.current, new Map(model)]]
      for (let number = 1; number <= 12; number++) {
        const { current } = live
        for (let step = 0; step < random.one([1, 1, 3]); step++) {
          const before = new Map(model)
          changes(random, model, random.one([1, 5, 40]))
          live.stage(statesSince(before, model))
          expect(live.current).toBe(current)
          expectSame(current, versions.at(-1)?.[1] as Model, seed)
        }
        live.show(1_000 * number)
        expect(live.current.changes).toBe(1_000 * number)
        versions.push([live.current, new Map(model)])
      }
      for (const [at, [directory, then]] of versions.entries()) expectSame(directory, then, at)
    }
  })

  it("may repeat a unit, whose last state counts", () => {
    const live = small()
    const state = { postcode: known, coordinate: here, active: false, replaced_by: gone }
    live.stage(unitStatesOf([{ postcode: known, coordinate: there, active: true }, state]))
    live.show(2)
    expect(live.current.activeSize).toBe(0)
    expect(live.current.replacedBy(known)).toBe(gone)
    expect(live.current.coordinateAt(live.current.find(known))).toEqual(here)
  })

  it("make a new version even without a unit, as changes of attributes do", () => {
    const live = small()
    const { current } = live
    live.show(0)
    expect(live.current).toBe(current)
    live.show(3)
    expect([live.current.changes, current.changes]).toEqual([3, 0])
    expect(live.current.status(known)).toBe("active")
  })
})

describe("the directory of a live one", () => {
  it("can start another live directory, which is independent from then on", () => {
    const random = chooser(6)
    const model = randomModel(random, 80)
    const first = new LiveDirectory(build(model))
    first.apply(changes(random, model, 20))
    const second = new LiveDirectory(first.current)
    const other = new Map(model)
    first.apply(changes(random, model, 20))
    second.apply(changes(random, other, 20))
    expectSame(first.current, model, 1)
    expectSame(second.current, other, 1)
  })
})

describe("an extended directory", () => {
  const reserved: ReadonlyArray<UnitPlace> = (["00", "01", "07"] as const).map((unit, at) => ({
    postcode: `QQ-10-A01-AA-${unit}` as Postcode,
    coordinate: coordinateOf({ lat_e7: origin.lat_e7 + 100 * at, lon_e7: origin.lon_e7 }),
    active: unit !== "07",
    replaced_by: unit === "07" ? ("QQ-10-A01-AA-00" as Postcode) : undefined
  }))
  const reservedPlaces = [
    { code: "QQ", name: "Reserved" },
    { code: "QQ-10", name: "Reserved Island" }
  ] as unknown as ReadonlyArray<Place>
  const extend = extendDirectory(reserved, reservedPlaces)

  it("has the same results as one that is built with those units, before and after changes, and does not change the original", () => {
    for (let seed = 1; seed <= cases(6); seed++) {
      const random = chooser(seed)
      const model = randomModel(random, random.one([0, 20, 150]))
      const live = new LiveDirectory(build(model))
      for (let step = 0; step < 6; step++) {
        const { current } = live
        const extended = extend(current)
        const all: Model = new Map(model)
        for (const { coordinate, postcode, ...unit } of reserved) {
          all.set(postcode, { ...unit, lat_e7: toE7(coordinate.lat), lon_e7: toE7(coordinate.lon) })
        }
        const expected = answersOf(build(all, [...places, ...reservedPlaces]), chooser(seed))
        expect(answersOf(extended, chooser(seed))).toEqual(expected)
        expect([extended.version, extended.changes]).toEqual([current.version, current.changes])
        expectSame(current, model, seed)
        live.apply(changes(random, model, random.one([1, 5, 40])))
        expect(answersOf(extended, chooser(seed))).toEqual(expected)
      }
    }
  })

  it("refuses a unit that it already has", () => {
    const live = new LiveDirectory(build(new Map()))
    live.apply([{ change: "add", postcode: "QQ-10-A01-AA-01" as Postcode, coordinate: here }])
    expect(() => extend(live.current)).toThrow("QQ-10-A01-AA-01: expected a postcode that the directory does not have")
  })
})

describe("merged layers", () => {
  it.each([false, true])("equal a directory that is built anew, in shared memory: %s", (shared) => {
    const random = chooser(4)
    for (const units of [0, 60, 150]) {
      const model = randomModel(random, units)
      const live = new LiveDirectory(build(model))
      for (let step = 0; step < 10; step++) expect(live.apply(changes(random, model, 7)).ok).toBe(true)
      const merged = shared ? runMergeTask(mergeTaskOf(live.current)) : live.current.contents
      expect({ ...merged, changes: 0 }).toEqual(build(model).contents)
      expect(live.current.contents).toEqual(merged)
      expect(merged.changes).toBe(live.current.changes)
      const { areas, levels } = merged.tree
      const buffers = [areas.units, areas.values, levels[2].starts, merged.spatial.visible]
      for (const { buffer } of buffers) expect(buffer instanceof SharedArrayBuffer).toBe(shared)
    }
  })

  it("do not change the directory", () => {
    const random = chooser(2)
    const model = randomModel(random, 60)
    const live = new LiveDirectory(build(model))
    live.apply(changes(random, model, 9))
    runMergeTask(mergeTaskOf(live.current))
    expectSame(live.current, model, 3)
  })
})

/** A merge that ends when the test says so. */
const heldMerge = () => {
  const started: Array<{
    readonly of: Directory
    readonly end: (contents?: DirectoryContents) => void
    readonly fail: () => void
  }> = []
  const merge = (of: Directory) =>
    new Promise<DirectoryContents>((resolve, reject) => {
      started.push({
        of,
        end: (contents = of.contents) => resolve(contents),
        fail: () => reject(new Error("out of memory"))
      })
    })
  return { merge, started }
}

/** Lets promises go on that have nothing to wait for. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

const unitsInLayers = ({ layers: [, ...changed] }: Directory): number =>
  changed.reduce((sum, { size }) => sum + size, 0)

describe("a merge", () => {
  const start = (mergeAt: number, seed: number) => {
    const { merge, started } = heldMerge()
    const onMergeFailed = vi.fn()
    const random = chooser(seed)
    const model = randomModel(random, 60)
    const live = new LiveDirectory(build(model), { merge, mergeAt, onMergeFailed })
    /** Applies so many changes; answers the directory after them and what it has to hold. */
    const change = async (count: number): Promise<readonly [Directory, Model]> => {
      expect(live.apply(changes(random, model, count)).ok).toBe(true)
      await turn()
      return [live.current, new Map(model)]
    }
    return { started, live, change, onMergeFailed }
  }

  it("starts at the configured number of changed units, and changes apply meanwhile and to its result", async () => {
    const { change, live, started } = start(10, 1)
    const versions = [await change(5)]
    expect(started.length).toBe(0)
    versions.push(await change(40))
    expect(started.map(({ of }) => of)).toEqual([live.current])
    versions.push(await change(6), await change(40))
    expect(started.length).toBe(1)
    const before = live.current
    started[0]?.end()
    await turn()
    expect(live.current).not.toBe(before)
    expect(live.current.changes).toBe(before.changes)
    expect(unitsInLayers(live.current)).toBeLessThan(unitsInLayers(before))
    const [, present] = versions.at(-1) as readonly [Directory, Model]
    versions.push([live.current, present])
    // What came meanwhile calls for the next one.
    expect(started.map(({ of }) => of)).toEqual([expect.anything(), live.current])
    versions.push(await change(3), await change(1))
    started[1]?.end()
    await live.settled()
    versions.push([live.current, versions.at(-1)?.[1] as Model], await change(30))
    for (const [at, [directory, then]] of versions.entries()) expectSame(directory, then, at)
  })

  it("leaves a directory with one layer if there were no changes meanwhile", async () => {
    const { change, live, onMergeFailed, started } = start(10, 2)
    const [changed, model] = await change(60)
    started[0]?.end()
    await live.settled()
    expect(live.current.layers.length).toBe(1)
    expect([live.current.version, live.current.changes]).toEqual([changed.version, changed.changes])
    expectSame(live.current, model, 1)
    expect(live.current.contents.spatial.visible).toEqual(build(model).contents.spatial.visible)
    const [later, laterModel] = await change(4)
    expectSame(later, laterModel, 1)
    expect(onMergeFailed).not.toHaveBeenCalled()
  })

  it("that fails changes nothing, is reported, and is retried only after more changes", async () => {
    const { change, live, onMergeFailed, started } = start(20, 3)
    const versions = [await change(60)]
    versions.push(await change(5))
    started[0]?.fail()
    await live.settled()
    expect(onMergeFailed.mock.calls).toEqual([[new Error("out of memory")]])
    versions.push([live.current, versions.at(-1)?.[1] as Model], await change(1))
    expect(started.length).toBe(1)
    versions.push(await change(60))
    expect(started.length).toBe(2)
    started[1]?.end()
    await live.settled()
    versions.push([live.current, versions.at(-1)?.[1] as Model], await change(5))
    for (const [at, [directory, then]] of versions.entries()) expectSame(directory, then, at)
    expect(onMergeFailed).toHaveBeenCalledTimes(1)
  })

  it("fails if it throws, or returns another directory", async () => {
    const { change, live, onMergeFailed, started } = start(10, 4)
    await change(60)
    const [[known]] = (await change(1))[1] as unknown as [[Postcode, Unit]]
    started[0]?.end(build(new Map([[known, { ...origin, active: true }]])).contents)
    await live.settled()
    expect(onMergeFailed.mock.calls).toEqual([
      [
        expect.objectContaining({
          message: expect.stringMatching(/^the merge returned 1 units after 0 changes; expected /)
        })
      ]
    ])
    const thrown = vi.fn()
    const merge = () => {
      throw new Error("no worker")
    }
    const other = new LiveDirectory(live.current, { merge, mergeAt: 1, onMergeFailed: thrown })
    other.apply([{ change: "add", postcode: "QQ-99-ZZZ-ZZ-99" as Postcode, coordinate: here }])
    await other.settled()
    expect(thrown.mock.calls).toEqual([[new Error("no worker")]])
    expect(other.current.status("QQ-99-ZZZ-ZZ-99" as Postcode)).toBe("active")
  })

  it("fails if it returns the same number of units with another number of changes", async () => {
    const { change, live, onMergeFailed, started } = start(10, 6)
    const [changed, model] = await change(60)
    started[0]?.end({ ...changed.contents, changes: changed.changes + 1 })
    await live.settled()
    expect(onMergeFailed).toHaveBeenCalledTimes(1)
    expect(live.current.changes).toBe(changed.changes)
    expectSame(live.current, model, 1)
  })

  it("applies changes of the meantime to its result in steps, and changes are shown between steps", async () => {
    const random = chooser(11)
    const model = randomModel(random, 60)
    const { merge, started } = heldMerge()
    const steps: Array<() => void> = []
    const pause = () => new Promise<void>((resolve) => steps.push(resolve))
    const live = new LiveDirectory(build(model), { merge, mergeAt: 10, pause })
    const change = async (count: number): Promise<readonly [Directory, Model]> => {
      expect(live.apply(changes(random, model, count)).ok).toBe(true)
      await turn()
      return [live.current, new Map(model)]
    }
    const versions: Array<readonly [Directory, Model]> = []
    for (let at = 0; at < 8; at++) versions.push(await change(300))
    expect(started.length).toBe(1)
    started[0]?.end()
    await turn()
    const [edition] = live.current.layers
    let paused = 0
    for (; steps.length > 0; paused++) {
      if (paused < 8) versions.push(await change(5))
      expect(live.current.layers[0].spatial).toBe(edition.spatial)
      steps.shift()?.()
      await turn()
    }
    expect(paused).toBeGreaterThan(4)
    expect(live.current.layers[0].spatial).not.toBe(edition.spatial)
    versions.push([live.current, new Map(model)] as const, await change(5))
    for (const [at, [directory, then]] of versions.entries()) expectSame(directory, then, at)
  })

  it("that ends while a batch is staged shows no part of the batch", async () => {
    const random = chooser(12)
    const model = randomModel(random, 60)
    const { merge, started } = heldMerge()
    const live = new LiveDirectory(build(model), { merge, mergeAt: 10 })
    expect(live.apply(changes(random, model, 60)).ok).toBe(true)
    await turn()
    const { current } = live
    const before = new Map(model)
    const [first, second] = [known, gone].map((postcode) => ({ postcode, coordinate: there, active: true }))
    live.stage(unitStatesOf([first as UnitPlace]))
    started[0]?.end()
    await live.settled()
    expect(live.current).toBe(current)
    expectSame(current, model, 12)
    live.stage(unitStatesOf([second as UnitPlace]))
    const { changes: shown } = current
    live.show(shown + 2)
    live.stage(unitStatesOf([second as UnitPlace]))
    live.show(shown + 3)
    for (const postcode of [known, gone]) {
      model.set(postcode, { lat_e7: 65_000_000, lon_e7: 34_000_000, active: true })
    }
    expectSame(live.current, model, 12)
    expectSame(current, before, 12)
  })

  it("requires a positive number of changed units", () => {
    const { current } = small()
    for (const mergeAt of [0, -1, 1.5, Number.NaN]) {
      expect(() => new LiveDirectory(current, { mergeAt })).toThrow("mergeAt: expected a positive integer")
    }
  })
})
