/** Conformance suite of the port `DirectoryChanges`, also with concurrent batches. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { UnitChange, UnitState } from "@postcode/core/Changes"
import { type DirectoryVersion, formatVersion, packSegments, unpack } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import {
  type AppliedBatch,
  type AppliedChange,
  type ChangeBatch,
  type ChangeOutcome,
  DirectoryChanges,
  maxBatchChanges,
  maxUnitEvents
} from "@postcode/gateway/directory/changes/DirectoryChanges"
import { Units } from "@postcode/gateway/directory/Units"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { unique } from "../../fixtures/Records.ts"

type Ports = DirectoryChanges | Units
type It = Vitest.MethodsNonLive<Ports>

/** The adapter's directory: some units of it, active and retired. It must have none of the state `QQ`. */
export type ChangesSample = ReadonlyArray<UnitState>

/** Registers the tests of the port `DirectoryChanges`. */
export const directoryChangesSuite = <E>(name: string, adapter: Layer.Layer<Ports, E>, sample: ChangesSample): void =>
  layer(adapter, { excludeTestServices: true })(`DirectoryChanges ${name}`, (it) => {
    addSampleTests(it, sample)
    addBatchTests(it)
    addRemovalTests(it)
    addRepeatTests(it)
    addFeedTests(it)
    addHistoryTests(it)
    addAttributeTests(it)
    addLargeBatchTests(it)
    addRaceTests(it)
    addModelTests(it)
  })

const addSampleTests = (it: It, sample: ChangesSample): void => {
  it.effect("the units of the edition can be changed", () =>
    Effect.gen(function* () {
      for (const state of sample) {
        assert.deepStrictEqual(yield* historyOf(state.postcode), { unit: state, events: [] })
        const attributes = { locality_name: "Somewhere else" }
        yield* applied({ change: "set", postcode: state.postcode, attributes })
        const moved = {
          ...state,
          coordinate: { lat: 9.1, lon: 7.4 },
          attributes: { ...state.attributes, ...attributes }
        }
        yield* applied({ change: "move", postcode: state.postcode, coordinate: moved.coordinate })
        const { events, unit } = yield* historyOf(state.postcode)
        assert.deepStrictEqual(unit, moved)
        assert.deepStrictEqual(
          events.map(({ kind }) => kind),
          ["move", "set"]
        )
      }
    })
  )
}

const addBatchTests = (it: It): void => {
  it.effect("changes apply in order, and get the next numbers without gaps; those without an effect get none", () =>
    Effect.gen(function* () {
      const before = yield* latest
      const [a, b, c] = [newPostcode(), newPostcode(), newPostcode()]
      const batch = newBatch(
        add(a),
        add(b, { recent_address: "1 Marina" }),
        { change: "retire", postcode: a },
        { change: "retire", postcode: a },
        { change: "replace", postcode: a, replaced_by: c },
        { change: "move", postcode: b, coordinate: there },
        { change: "move", postcode: b, coordinate: there },
        { change: "set", postcode: b, attributes: { recent_address: null, delivery_point: true } },
        { change: "reactivate", postcode: a }
      )
      assert.deepStrictEqual(yield* apply(batch), {
        _tag: "Applied",
        version: plus(before, 7),
        applied: 7,
        unchanged: 2,
        repeated: false
      })
      const { changes, latest: newest, version } = yield* after(before, 100)
      assert.deepStrictEqual([version, newest], [plus(before, 7), plus(before, 7)])
      const [atA, atB] = [stateOf(a), stateOf(b)]
      const expected: ReadonlyArray<readonly [string, UnitState]> = [
        ["add", atA],
        ["add", { ...atB, attributes: { recent_address: "1 Marina" } }],
        ["retire", { ...atA, active: false }],
        ["replace", { ...atA, active: false, replaced_by: c }],
        ["move", { ...atB, coordinate: there, attributes: { recent_address: "1 Marina" } }],
        ["set", { ...atB, coordinate: there, attributes: { delivery_point: true } }],
        ["reactivate", atA]
      ]
      assert.deepStrictEqual(
        changes,
        expected.map(([kind, unit], i) => ({ number: before.changes + i + 1, kind, at: batch.at, unit })) as never
      )
    })
  )

  it.effect("a batch with faults changes nothing, and its reference stays free", () =>
    Effect.gen(function* () {
      const before = yield* latest
      const [known, unknown] = [newPostcode(), newPostcode()]
      const batch = newBatch(
        add(known),
        { change: "retire", postcode: unknown },
        { change: "move", postcode: known, coordinate: { lat: 91, lon: 0 } },
        { ...add(known), coordinate: there },
        { change: "retire", postcode: "LA" as Postcode }
      )
      const refused = yield* apply(batch)
      assert.strictEqual(refused._tag, "Refused")
      assert.deepStrictEqual(refused._tag === "Refused" && refused.faults.map(({ index }) => index), [1, 2, 3, 4])
      assert.deepStrictEqual(yield* latest, before)
      assert.deepStrictEqual(yield* historyOf(known), { unit: undefined, events: [] })
      const corrected = yield* apply({ ...batch, changes: [add(known)] })
      assert.deepInclude(corrected, { applied: 1, repeated: false })
    })
  )

  it.effect("a dry run returns what a batch would do, and changes nothing", () =>
    Effect.gen(function* () {
      const before = yield* latest
      const postcode = newPostcode()
      const batch = newBatch(add(postcode), { change: "reactivate", postcode })
      const expected = { _tag: "Applied", version: plus(before, 1), applied: 1, unchanged: 1, repeated: false } as const
      assert.deepStrictEqual(yield* apply(batch, true), { ...expected, removals: 0 })
      assert.deepStrictEqual(yield* latest, before)
      assert.deepStrictEqual(yield* historyOf(postcode), { unit: undefined, events: [] })
      const refused = yield* apply(newBatch({ change: "retire", postcode }), true)
      assert.strictEqual(refused._tag, "Refused")
      assert.deepStrictEqual(yield* apply(batch), expected)
    })
  )
}

const addRemovalTests = (it: It): void => {
  it.effect("a batch that takes more active units away than it may changes nothing, and its reference stays free", () =>
    Effect.gen(function* () {
      const [retired, moved, near, back, gone] = [
        newPostcode(),
        newPostcode(),
        newPostcode(),
        newPostcode(),
        newPostcode()
      ]
      yield* applied(add(retired), add(moved), add(near), add(back), { ...add(gone), active: false })
      const before = yield* latest
      const batch = newBatch(
        { change: "retire", postcode: retired },
        { change: "move", postcode: moved, coordinate: there },
        { change: "move", postcode: near, coordinate: { lat: here.lat + 0.005, lon: here.lon } },
        { change: "retire", postcode: back },
        { change: "reactivate", postcode: back },
        { change: "move", postcode: gone, coordinate: there },
        add(newPostcode())
      )
      assert.deepInclude(yield* apply(batch, true), { _tag: "Applied", applied: 7, removals: 2 })
      assert.deepStrictEqual(yield* apply({ ...batch, allowedRemovals: 1 }), { _tag: "TooManyRemovals", removals: 2 })
      assert.deepStrictEqual(yield* latest, before)
      assert.deepInclude(yield* apply({ ...batch, allowedRemovals: 2 }), { applied: 7, repeated: false })
      // It takes nothing away any more.
      assert.deepInclude(yield* apply({ ...batch, allowedRemovals: 0 }), { applied: 7, repeated: true })
    })
  )
}

const addRepeatTests = (it: It): void => {
  it.effect("a repeated batch changes nothing, and returns what it did the first time", () =>
    Effect.gen(function* () {
      const postcode = newPostcode()
      const batch = newBatch(add(postcode), { change: "retire", postcode })
      const first = yield* apply(batch)
      yield* applied({ change: "reactivate", postcode })
      const newest = yield* latest
      for (const dryRun of [false, true]) {
        const again = yield* apply({ ...batch, changes: batch.changes.map((change) => ({ ...change })) }, dryRun)
        assert.deepStrictEqual<object>(again, { ...first, repeated: true })
      }
      assert.deepStrictEqual(yield* latest, newest)
      assert.propertyVal((yield* historyOf(postcode)).unit, "active", true)
    })
  )

  it.effect("another batch under the same reference is a conflict", () =>
    Effect.gen(function* () {
      const postcode = newPostcode()
      const batch = newBatch(add(postcode))
      yield* apply(batch)
      const newest = yield* latest
      const others: ReadonlyArray<ReadonlyArray<UnitChange>> = [
        [],
        [{ change: "retire", postcode }],
        [...batch.changes, { change: "retire", postcode }],
        [{ ...add(postcode), attributes: { locality_name: "Yaba" } }]
      ]
      for (const changes of others) {
        for (const dryRun of [false, true]) yield* failsWith(apply({ ...batch, changes }, dryRun), "Conflict")
      }
      assert.deepStrictEqual(yield* latest, newest)
    })
  )

  it.effect("work attached to a batch runs once, and not for a dry run, a refusal or a repetition", () =>
    Effect.gen(function* () {
      const changes = yield* DirectoryChanges
      const ran: Array<AppliedBatch> = []
      const onApplied = (outcome: AppliedBatch) => Effect.sync(() => void ran.push(outcome))
      const postcode = newPostcode()
      yield* changes.apply(newBatch({ change: "retire", postcode }), false, onApplied)
      const batch = newBatch(add(postcode))
      yield* changes.apply(batch, true, onApplied)
      assert.deepStrictEqual(ran, [])
      const outcome = yield* changes.apply(batch, false, onApplied)
      yield* changes.apply(batch, false, onApplied)
      assert.deepStrictEqual(ran, [outcome as AppliedBatch])
    })
  )

  it.effect("a batch without an effect takes no number, and can be repeated", () =>
    Effect.gen(function* () {
      const postcode = newPostcode()
      yield* applied(add(postcode))
      const before = yield* latest
      const batch = newBatch({ change: "reactivate", postcode })
      const expected = { _tag: "Applied", version: before, applied: 0, unchanged: 1, repeated: false } as const
      assert.deepStrictEqual(yield* apply(batch), expected)
      yield* applied({ change: "retire", postcode })
      assert.deepStrictEqual(yield* apply(batch), { ...expected, repeated: true })
      yield* failsWith(apply({ ...batch, changes: [] }), "Conflict")
    })
  )
}

const addFeedTests = (it: It): void => {
  it.effect("pages of any size have the same changes, and each begins where the one before ended", () =>
    Effect.gen(function* () {
      const before = yield* latest
      for (let i = 0; i < 5; i++) yield* applied(add(newPostcode()), add(newPostcode()))
      const { changes } = yield* after(before, 100)
      assert.deepStrictEqual(
        changes.map(({ number }) => number),
        Array.from({ length: 10 }, (_, i) => before.changes + i + 1)
      )
      for (const limit of [1, 3, 9, 10]) {
        const pages = yield* pagesAfter(before, limit)
        assert.deepStrictEqual(pages.flat(), [...changes])
        assert.isTrue(pages.every(({ length }) => length <= limit))
      }
      const end = yield* latest
      assert.deepStrictEqual(yield* after(end, 10), { changes: [], version: end, latest: end })
    })
  )

  it.effect("a version that never existed is invalid, and one of another edition has expired", () =>
    Effect.gen(function* () {
      const { after } = yield* DirectoryChanges
      const newest = yield* latest
      const unknown = plus(newest, 1)
      const { message } = yield* failsWith(after(unknown, 10), "InvalidParameter")
      assert.include(message, formatVersion(newest))
      const expired = yield* failsWith(after({ edition: "1960-10", changes: 0 }, 10), "VersionExpired")
      assert.include(expired.message, "the edition of this version was replaced")
      assert.include(expired.message, formatVersion({ ...newest, changes: 0 }))
    })
  )

  it.effect("changes of more than a year ago have expired, and are no longer in a history", () =>
    Effect.gen(function* () {
      const [old, recent] = [newPostcode(), newPostcode()]
      const before = yield* latest
      yield* apply({ ...newBatch(add(old)), at: daysAgo(366) })
      yield* apply({ ...newBatch(add(recent)), at: daysAgo(364) })
      const { after } = yield* DirectoryChanges
      yield* failsWith(after(before, 10), "VersionExpired")
      const { changes } = yield* after(plus(before, 1), 10)
      assert.strictEqual(changes[0]?.unit.postcode, recent)
      assert.deepStrictEqual(yield* historyOf(old), { unit: stateOf(old), events: [] })
      assert.strictEqual((yield* historyOf(recent)).events.length, 1)
    })
  )
}

const addHistoryTests = (it: It): void => {
  it.effect("a history has the newest events first, with their reasons", () =>
    Effect.gen(function* () {
      const { edition } = yield* latest
      const postcode = newPostcode()
      const batches = [
        { ...newBatch(add(postcode)), reason: "built", actor: "acc_1" },
        {
          ...newBatch({ change: "move", postcode, coordinate: there }),
          reason: 'surveyed: "anew"; Ọ̀yọ́',
          actor: "acc_2"
        }
      ]
      const outcomes = yield* Effect.forEach(batches, (batch) => apply(batch))
      const { events, unit } = yield* historyOf(postcode)
      assert.deepStrictEqual(unit, { ...stateOf(postcode), coordinate: there })
      const expected = batches.map(({ actor, at, changes: [change], reason, reference }, i) => ({
        number: numberOf(outcomes[i]),
        kind: change?.change,
        at,
        unit: { ...stateOf(postcode), ...(i === 1 && { coordinate: there }) },
        edition,
        reason,
        reference,
        actor
      }))
      assert.deepStrictEqual(events, expected.reverse() as never)
    })
  )

  it.effect(`a history has at most ${maxUnitEvents} events`, () =>
    Effect.gen(function* () {
      const postcode = newPostcode()
      const kinds = ["retire", "reactivate"] as const
      const changes = Array.from({ length: maxUnitEvents }, (_, i) => ({ change: kinds[i % 2] as "retire", postcode }))
      const outcome = yield* applied(add(postcode), ...changes)
      const { events } = yield* historyOf(postcode)
      assert.strictEqual(events.length, maxUnitEvents)
      assert.strictEqual(events[0]?.number, numberOf(outcome))
      assert.strictEqual(events.at(-1)?.kind, "retire")
    })
  )
}

const addAttributeTests = (it: It): void => {
  it.effect("attributes are those of each version of the directory", () =>
    Effect.gen(function* () {
      const { edition, changes } = yield* latest
      const postcode = newPostcode()
      const other = newPostcode()
      const all: UnitAttributes = {
        locality_name: "Ọ̀págbé",
        recent_address: '7 "Old" Road,\r\nÌkẹjà',
        building_use_status: "mixed",
        building_type: "'",
        building_owner: "\\",
        delivery_point: true
      }
      yield* applied(add(postcode, all), add(other))
      yield* applied({ change: "set", postcode, attributes: { locality_name: null, delivery_point: false } })
      yield* applied(
        { change: "retire", postcode },
        { change: "set", postcode: other, attributes: { building_type: "x" } }
      )
      const { attributes } = yield* Units
      const { locality_name: _, ...rest } = { ...all, delivery_point: false }
      const expected: ReadonlyArray<readonly [UnitAttributes, UnitAttributes]> = [
        [{}, {}],
        [all, {}],
        [all, {}],
        [rest, {}],
        [rest, {}],
        [rest, { building_type: "x" }]
      ]
      for (const [i, both] of expected.entries()) {
        const found = yield* attributes([postcode, other], { version: edition, changes: changes + i })
        assert.deepStrictEqual(found, [...both], `after ${i} changes`)
      }
    })
  )
}

const addLargeBatchTests = (it: It): void => {
  it.effect(`a batch may have ${maxBatchChanges} changes`, () =>
    Effect.gen(function* () {
      const before = yield* latest
      const postcodes = Array.from({ length: maxBatchChanges }, newPostcode)
      const batch = newBatch(...postcodes.map((postcode) => add(postcode, { recent_address: `at ${postcode}` })))
      assert.deepInclude(yield* apply(batch), { applied: maxBatchChanges, version: plus(before, maxBatchChanges) })
      const found = (yield* pagesAfter(before, 1_000)).flat().map(({ unit }) => unit.postcode)
      assert.deepStrictEqual(found, postcodes)
      assert.deepInclude(yield* apply(batch), { applied: maxBatchChanges, repeated: true })
      const again = newBatch(...postcodes.map((postcode) => ({ ...add(postcode), coordinate: there })))
      const refused = yield* apply(again)
      assert.strictEqual(refused._tag === "Refused" && refused.faults.length, maxBatchChanges)
    })
  )
}

const addRaceTests = (it: It): void => {
  it.effect("concurrent batches are applied one after the other", () =>
    Effect.gen(function* () {
      const before = yield* latest
      const batches = Array.from({ length: 40 }, (_, i) =>
        newBatch(...Array.from({ length: 1 + (i % 5) }, () => add(newPostcode())))
      )
      const outcomes = yield* Effect.forEach(batches, (batch) => apply(batch), { concurrency: "unbounded" })
      const changes = (yield* pagesAfter(before, 1_000)).flat()
      assert.strictEqual(changes.length, batches.flatMap(({ changes }) => changes).length)
      for (const [i, batch] of batches.entries()) {
        const end = numberOf(outcomes[i]) - before.changes
        assert.deepStrictEqual(
          changes.slice(end - batch.changes.length, end).map(({ unit }) => unit.postcode),
          batch.changes.map(({ postcode }) => postcode)
        )
      }
    })
  )

  it.effect("of concurrent batches under one reference one is applied, and the others are repetitions", () =>
    Effect.gen(function* () {
      const before = yield* latest
      const batch = newBatch(add(newPostcode()))
      const outcomes = yield* Effect.replicateEffect(apply(batch), 20, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* latest, plus(before, 1))
      assert.strictEqual(outcomes.filter((outcome) => outcome._tag === "Applied" && !outcome.repeated).length, 1)
      assert.isTrue(outcomes.every((outcome) => numberOf(outcome) === before.changes + 1))
    })
  )

  it.effect("of concurrent batches that exclude each other one is applied, and the others are refused", () =>
    Effect.gen(function* () {
      const before = yield* latest
      const postcode = newPostcode()
      const batches = Array.from({ length: 20 }, (_, i) =>
        newBatch({ change: "add", postcode, coordinate: { lat: i, lon: 3 } })
      )
      const outcomes = yield* Effect.forEach(batches, (batch) => apply(batch), { concurrency: "unbounded" })
      assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Applied").length, 1)
      assert.deepStrictEqual(yield* latest, plus(before, 1))
    })
  )
}

const addModelTests = (it: It): void => {
  it.effect("the feed, replayed, gives the state of every unit", () =>
    Effect.gen(function* () {
      const before = yield* latest
      const postcodes = Array.from({ length: 6 }, newPostcode)
      const random = randomOf(7)
      const any = <A>(values: ReadonlyArray<A>): A => values[Math.floor(random() * values.length)] as A
      const anyChange = (): UnitChange => {
        const postcode = any(postcodes)
        const coordinate = any([here, there])
        const replaced_by = any(postcodes)
        return any<UnitChange>([
          { change: "add", postcode, coordinate },
          { change: "move", postcode, coordinate },
          { change: "retire", postcode },
          { change: "replace", postcode, replaced_by },
          { change: "reactivate", postcode },
          { change: "set", postcode, attributes: { building_type: any(["flat", "hut", null]) } }
        ])
      }
      for (let i = 0; i < 150; i++) yield* apply(newBatch(...Array.from({ length: any([1, 1, 3]) }, anyChange)))
      const replayed = new Map<Postcode, UnitState>()
      for (const { unit } of (yield* pagesAfter(before, 7)).flat()) {
        assert.notDeepEqual(replayed.get(unit.postcode), unit)
        replayed.set(unit.postcode, unit)
      }
      assert.strictEqual(replayed.size, postcodes.length)
      for (const [postcode, state] of replayed) assert.deepStrictEqual((yield* historyOf(postcode)).unit, state)
    })
  )
}

const here = { lat: 6.6018, lon: 3.3515 }
const there = { lat: 6.4541, lon: -0.0000001 }

let lastUnit = 0
const firstUnit = packSegments(16 * 26 + 16, 0, 0, 0, 0)

/** A postcode of the state `QQ` that no test has used in this process. */
const newPostcode = (): Postcode => unpack(firstUnit + lastUnit++)

const add = (postcode: Postcode, attributes?: UnitAttributes): UnitChange & { readonly change: "add" } => ({
  change: "add",
  postcode,
  coordinate: here,
  ...(attributes !== undefined && { attributes })
})

/** The state of a unit after `add`. */
const stateOf = (postcode: Postcode): UnitState => ({ postcode, coordinate: here, active: true, attributes: {} })

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()

const newBatch = (...changes: ReadonlyArray<UnitChange>): ChangeBatch => ({
  changes,
  reference: unique("batch"),
  reason: "a test",
  actor: "operator",
  at: daysAgo(0)
})

const apply = Effect.fnUntraced(function* (batch: ChangeBatch, dryRun = false) {
  return yield* (yield* DirectoryChanges).apply(batch, dryRun)
})

/** Applies changes that must all have an effect. */
const applied = Effect.fnUntraced(function* (...changes: ReadonlyArray<UnitChange>) {
  const outcome = yield* apply(newBatch(...changes))
  assert.deepInclude(outcome, { _tag: "Applied", applied: changes.length })
  return outcome
})

const numberOf = (outcome: ChangeOutcome | undefined): number =>
  outcome?._tag === "Applied" ? outcome.version.changes : Number.NaN

const historyOf = Effect.fnUntraced(function* (postcode: Postcode) {
  return yield* (yield* DirectoryChanges).history(postcode)
})

const after = Effect.fnUntraced(function* (version: DirectoryVersion, limit: number) {
  return yield* (yield* DirectoryChanges).after(version, limit)
})

const pagesAfter = Effect.fnUntraced(function* (version: DirectoryVersion, limit: number) {
  const pages: Array<ReadonlyArray<AppliedChange>> = []
  for (let since = version; ; ) {
    const page = yield* after(since, limit)
    pages.push(page.changes)
    since = page.version
    if (since.changes === page.latest.changes) return pages
  }
})

/** The newest version: that of a batch without changes. */
const latest: Effect.Effect<DirectoryVersion, unknown, DirectoryChanges> = Effect.map(
  Effect.suspend(() => apply(newBatch(), true)),
  (outcome) => {
    if (outcome._tag !== "Applied") throw new Error("a batch without changes has faults")
    return outcome.version
  }
)

const plus = ({ changes, edition }: DirectoryVersion, more: number): DirectoryVersion => ({
  edition,
  changes: changes + more
})

/** Numbers from 0 up to 1 that repeat. */
const randomOf = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
