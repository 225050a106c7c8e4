/** Conformance suite of the port `WidgetSettings`. */
import { assert, layer } from "@effect/vitest"
import { defaultBookmarkSettings, WidgetSettings } from "@postcode/gateway/widget/WidgetSettings"
import { Effect, type Layer } from "effect"
import { unique } from "../../fixtures/Records.ts"

/** Registers the tests of the port `WidgetSettings`. */
export const widgetSettingsSuite = <E>(name: string, adapter: Layer.Layer<WidgetSettings, E>): void =>
  layer(adapter, { excludeTestServices: true })(`WidgetSettings ${name}`, (it) => {
    it.effect("an organization that has set nothing has the default settings and no key", () =>
      Effect.gen(function* () {
        const settings = yield* WidgetSettings
        assert.deepStrictEqual(yield* settings.get(unique("org")), defaultBookmarkSettings)
      })
    )

    it.effect("settings are those that were set last, of their organization", () =>
      Effect.gen(function* () {
        const settings = yield* WidgetSettings
        const [mine, other] = [unique("org"), unique("org")]
        for (const own_bookmarks of [true, false]) {
          for (const bookmarks_without_proof of [true, false]) {
            const set = { own_bookmarks, bookmarks_without_proof }
            assert.deepStrictEqual(yield* settings.update(mine, set), { settings: set, changed: true })
            assert.deepStrictEqual(yield* settings.update(mine, set), { settings: set, changed: false })
            assert.deepStrictEqual(yield* settings.get(mine), set)
          }
        }
        assert.deepStrictEqual(yield* settings.get(other), defaultBookmarkSettings)
      })
    )

    it.effect("a patch changes its fields and no others; one of what is there changes nothing", () =>
      Effect.gen(function* () {
        const settings = yield* WidgetSettings
        const id = unique("org")
        for (const patch of [{}, defaultBookmarkSettings, { own_bookmarks: false }]) {
          const unchanged = { settings: defaultBookmarkSettings, changed: false }
          assert.deepStrictEqual(yield* settings.update(id, patch), unchanged)
        }
        const first = { own_bookmarks: false, bookmarks_without_proof: false }
        const changed = yield* settings.update(id, { bookmarks_without_proof: false })
        assert.deepStrictEqual(changed, { settings: first, changed: true })
        const second = { ...first, own_bookmarks: true }
        const next = yield* settings.update(id, { own_bookmarks: true })
        assert.deepStrictEqual(next, { settings: second, changed: true })
        assert.deepStrictEqual(yield* settings.get(id), second)
      })
    )

    it.effect("concurrent patches of different fields are all kept, and each change counts once", () =>
      Effect.gen(function* () {
        const settings = yield* WidgetSettings
        for (let run = 0; run < 5; run++) {
          const id = unique("org")
          const patches = Array.from({ length: 10 }, (_, i) =>
            settings.update(id, i % 2 === 0 ? { own_bookmarks: true } : { bookmarks_without_proof: false })
          )
          const results = yield* Effect.all(patches, { concurrency: "unbounded" })
          assert.strictEqual(results.filter(({ changed }) => changed).length, 2)
          assert.deepStrictEqual(yield* settings.get(id), { own_bookmarks: true, bookmarks_without_proof: false })
        }
      })
    )

    it.effect("a new key makes the present one the former; settings stay, and setting them keeps the keys", () =>
      Effect.gen(function* () {
        const settings = yield* WidgetSettings
        const id = unique("org")
        const key = (n: number) => ({ sealed: `sealed ${n}`, created_at: at(n), former_until: at(n + 1) })
        const first = { present: "sealed 1", created_at: at(1) }
        assert.deepStrictEqual(yield* settings.rotateProofKey(id, key(1)), first)
        assert.deepStrictEqual(yield* settings.get(id), { ...defaultBookmarkSettings, proof_keys: first })
        const set = { own_bookmarks: true, bookmarks_without_proof: false }
        yield* settings.update(id, set)
        const second = { present: "sealed 2", created_at: at(2), former: "sealed 1", former_until: at(3) }
        assert.deepStrictEqual(yield* settings.rotateProofKey(id, key(2)), second)
        assert.deepStrictEqual(yield* settings.get(id), { ...set, proof_keys: second })
        const third = { present: "sealed 3", created_at: at(3), former: "sealed 2", former_until: at(4) }
        assert.deepStrictEqual(yield* settings.rotateProofKey(id, key(3)), third)
      })
    )
  })

const at = (day: number): string => `2026-01-0${day}T12:00:00.000Z`
