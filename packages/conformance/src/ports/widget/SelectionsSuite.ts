/** Conformance suite of the port `Selections`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { selectionSources } from "@postcode/core/Selection"
import {
  type RecordedSelection,
  Selections,
  type SelectionsQuery
} from "@postcode/gateway/widget/selections/Selections"
import { Effect, type Layer } from "effect"
import { checkPaging, readAll } from "../../fixtures/Paging.ts"
import { nextTimestamp, unique } from "../../fixtures/Records.ts"
import type { SuiteOptions } from "../../fixtures/SuiteOptions.ts"

/** Registers the tests of the port `Selections`. */
export const selectionsSuite = <E>(
  name: string,
  adapter: Layer.Layer<Selections, E>,
  { settle = Effect.void }: SuiteOptions = {}
): void =>
  layer(adapter, { excludeTestServices: true })(`Selections ${name}`, (it) => {
    it.effect("a selection is listed as it was recorded, with and without a subject and a source", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const organization_id = unique("org")
        const { subject: _, ...anonymous } = newSelection({ organization_id })
        const recorded = [
          anonymous,
          newSelection({ organization_id, environment: "live" }),
          ...selectionSources.map((source) => newSelection({ organization_id, source }))
        ]
        yield* Effect.forEach(recorded, selections.record)
        yield* settle
        assert.deepStrictEqual(yield* readSelections(organization_id), recorded.toReversed())
      })
    )

    it.effect("the list contains only the organization's selections", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const [mine, other] = [newSelection(), newSelection()]
        yield* Effect.forEach([mine, other], selections.record)
        yield* settle
        assert.deepStrictEqual(yield* readSelections(mine.organization_id), [mine])
        assert.deepStrictEqual(yield* readSelections(other.organization_id), [other])
        assert.deepStrictEqual(yield* readSelections(unique("org")), [])
      })
    )

    it.effect("concurrent selections are all kept, in order", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const organization_id = unique("org")
        const recorded = Array.from({ length: 1_500 }, () => newSelection({ organization_id }))
        yield* Effect.forEach(recorded, selections.record, { concurrency: "unbounded" })
        yield* settle
        assert.deepStrictEqual(yield* readSelections(organization_id), recorded.toReversed())
      })
    )

    it.effect("the subjects of an organization are removed, of accepted selections too, and of no other", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const [organization_id, other] = [unique("org"), newSelection()]
        const { subject: _, ...anonymous } = newSelection({ organization_id })
        const recorded = [anonymous, newSelection({ organization_id }), newSelection({ organization_id })]
        yield* Effect.forEach([...recorded.slice(0, 2), other], selections.record)
        yield* settle
        yield* Effect.forEach(recorded.slice(2), selections.record)
        assert.strictEqual(yield* selections.forgetSubjects(organization_id), 2)
        assert.strictEqual(yield* selections.forgetSubjects(organization_id), 0)
        assert.strictEqual(yield* selections.forgetSubjects(unique("org")), 0)
        yield* settle
        const without = recorded.map(({ subject: _, ...selection }: RecordedSelection) => selection)
        assert.deepStrictEqual(yield* readSelections(organization_id), without.toReversed())
        assert.deepStrictEqual(yield* readSelections(other.organization_id), [other])
      })
    )

    it.effect("the list is paged, newest first", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const organization_id = unique("org")
        const recorded = Array.from({ length: 6 }, () => newSelection({ organization_id }))
        yield* Effect.forEach(recorded, selections.record)
        yield* settle
        yield* checkPaging({
          list: (page) => selections.list(organization_id, page),
          idOf: ({ id }) => id,
          ids: recorded.map(({ id }) => id),
          isPrivate: true,
          add: Effect.andThen(selections.record(newSelection({ organization_id })), settle)
        })
      })
    )

    addCountTests(it, settle)
  })

const addCountTests = (it: Vitest.MethodsNonLive<Selections>, settle: Effect.Effect<void>): void => {
  it.effect("selections are counted by day, LGA and source, ascending, a missing source first", () =>
    Effect.gen(function* () {
      const selections = yield* Selections
      const organization_id = unique("org")
      const on = (at: string, postcode: string, source?: RecordedSelection["source"]) =>
        newSelection({ organization_id, at, postcode: postcode as Postcode, ...(source && { source }) })
      const recorded = [
        on("2026-02-01T00:00:00.000Z", "LA-12-A03-BG-07", "search"),
        on("2026-01-31T23:59:59.999Z", "LA-12-A03-BG-07", "search"),
        on("2026-01-31T00:00:00.000Z", "LA-12-B01-AA-01", "search"),
        on("2026-01-31T12:00:00.000Z", "LA-12-A03-BG-07", "bookmark"),
        on("2026-01-31T12:00:00.001Z", "LA-13-A03-BG-07"),
        on("2026-01-31T12:00:00.002Z", "LA-13-A03-BG-07", "discover"),
        on("2026-01-31T12:00:00.003Z", "KN-12-A03-BG-07", "discover")
      ]
      yield* Effect.forEach(recorded, selections.record)
      yield* settle
      const date = "2026-01-31"
      assert.deepStrictEqual(yield* selections.daily({ ...days, organization_id }), [
        { date, lga: "KN-12" as PartialPostcode, source: "discover", selections: 1 },
        { date, lga: "LA-12" as PartialPostcode, source: "bookmark", selections: 1 },
        { date, lga: "LA-12" as PartialPostcode, source: "search", selections: 2 },
        { date, lga: "LA-13" as PartialPostcode, source: null, selections: 1 },
        { date, lga: "LA-13" as PartialPostcode, source: "discover", selections: 1 },
        { date: "2026-02-01", lga: "LA-12" as PartialPostcode, source: "search", selections: 1 }
      ])
      const countsOf = (query: Partial<SelectionsQuery>) =>
        Effect.map(selections.daily({ ...days, organization_id, ...query }), (rows) =>
          rows.map((row) => row.selections)
        )
      assert.deepStrictEqual(yield* countsOf({ from: "2026-02-01" }), [1])
      assert.deepStrictEqual(yield* countsOf({ to: "2026-01-30" }), [])
      assert.deepStrictEqual(yield* countsOf({ to: "2026-01-31" }), [1, 1, 2, 1, 1])
      assert.deepStrictEqual(yield* countsOf({ min: 2 }), [2])
      assert.deepStrictEqual(yield* countsOf({ limit: 2 }), [1, 1])
    })
  )

  it.effect("the counts are of one organization and one environment", () =>
    Effect.gen(function* () {
      const selections = yield* Selections
      const at = "2026-01-31T12:00:00.000Z"
      const mine = newSelection({ at })
      const { organization_id } = mine
      const others = [newSelection({ at, organization_id, environment: "live" }), newSelection({ at })]
      yield* Effect.forEach([mine, ...others], selections.record)
      yield* settle
      for (const environment of ["test", "live"] as const) {
        const rows = yield* selections.daily({ ...days, organization_id, environment })
        assert.deepStrictEqual(
          rows.map((row) => row.selections),
          [1]
        )
      }
      assert.deepStrictEqual(yield* selections.daily({ ...days, organization_id: unique("org") }), [])
    })
  )
}

const days = { environment: "test", from: "2026-01-01", to: "2026-02-01", min: 1, limit: 100 } as const

/** A new selection. */
export const newSelection = (fields: Partial<RecordedSelection> = {}): RecordedSelection => ({
  id: unique("sel"),
  organization_id: unique("org"),
  key_id: unique("key"),
  environment: "test",
  subject: unique("1:hash"),
  postcode: "LA-12-A03-BG-07" as Postcode,
  at: nextTimestamp(),
  ...fields
})

const readSelections = (organization_id: string) =>
  Effect.flatMap(Selections, (selections) => readAll((page) => selections.list(organization_id, page)))
