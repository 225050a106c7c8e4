/** The port `Notices` in memory. */
import { assert, describe, it } from "@effect/vitest"
import { member, newNotice, noticesSuite, suiteNoticeLimits } from "@postcode/conformance"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Notices } from "@postcode/gateway/notices/Notices"
import { MemoryStore, Retention } from "@postcode/memory"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

const store = Layer.provideMerge(MemoryStore.layer, TestClock.layer())
const withMail = Layer.provide(store, Layer.succeed(NoticeLimits, suiteNoticeLimits))

noticesSuite("in memory", withMail, { advance: TestClock.adjust })

const all = { limit: 100, cursor: undefined }

describe("notices in memory", () => {
  it.effect("without mail, nothing is stored", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const { organization_id } = yield* member("owner")
      assert.isFalse(notices.isOn())
      assert.strictEqual(yield* notices.add(newNotice()), "off")
      const facts = { organization_id, kyb_status: "verified" } as const
      assert.strictEqual(yield* notices.add({ kind: "verification_decided", facts }), "off")
      assert.deepStrictEqual((yield* notices.list({}, all)).items, [])
    }).pipe(Effect.provide(store))
  )

  it.effect("the newest are kept, and none for more than 30 days", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const made = Array.from({ length: 13 }, () => newNotice())
      for (const notice of made) yield* notices.add(notice)
      const kept = made.slice(3).map(({ id }) => id)
      assert.deepStrictEqual(
        (yield* notices.list({}, all)).items.map(({ id }) => id),
        kept.toReversed()
      )
      yield* TestClock.adjust(30 * 86_400_000 + 1)
      const last = newNotice()
      yield* notices.add(last)
      assert.deepStrictEqual(
        (yield* notices.list({}, all)).items.map(({ id }) => id),
        [last.id]
      )
    }).pipe(
      Effect.provide(
        Layer.provide(
          withMail,
          Layer.effect(
            Retention,
            Effect.map(Effect.context<never>(), (context) => ({ ...Context.get(context, Retention), notices: 10 }))
          )
        )
      )
    )
  )
})
