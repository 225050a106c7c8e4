/** What every adapter of the port `WidgetSettings` must do. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { unique } from "../testing/Fixtures.ts"
import { defaultBookmarkSettings, WidgetSettings } from "./WidgetSettings.ts"

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
            yield* settings.set(mine, { own_bookmarks, bookmarks_without_proof })
            assert.deepStrictEqual(yield* settings.get(mine), { own_bookmarks, bookmarks_without_proof })
          }
        }
        assert.deepStrictEqual(yield* settings.get(other), defaultBookmarkSettings)
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
        yield* settings.set(id, set)
        const second = { present: "sealed 2", created_at: at(2), former: "sealed 1", former_until: at(3) }
        assert.deepStrictEqual(yield* settings.rotateProofKey(id, key(2)), second)
        assert.deepStrictEqual(yield* settings.get(id), { ...set, proof_keys: second })
        const third = { present: "sealed 3", created_at: at(3), former: "sealed 2", former_until: at(4) }
        assert.deepStrictEqual(yield* settings.rotateProofKey(id, key(3)), third)
      })
    )
  })

const at = (day: number): string => `2026-01-0${day}T12:00:00.000Z`
