/** What a replica asks the database to notice changes. */
import { assert, describe, it } from "@effect/vitest"
import { nextTimestamp, storedKey, storedOrganization, storedWebhook } from "@postcode/conformance"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Context, Effect, Exit, Layer, Tracer } from "effect"
import { FollowerTimes } from "../../src/connection/Follower.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { storeOn } from "../TestStore.ts"

/** A replica, and the number of its statements with a text. Copies are valid for longer than a busy machine stalls. */
const tracedReplica = Effect.fnUntraced(function* (url: string) {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const replica = yield* Layer.build(storeOn(url)).pipe(
    Effect.provideService(FollowerTimes, { interval_ms: 20, lifetime_ms: 5_000 }),
    Effect.provideService(Tracer.Tracer, tracer)
  )
  const count = (text: string) =>
    spans.filter((span) => String(span.attributes.get("db.query.text")).includes(text)).length
  return { replica, count }
})

const checks = "FROM postcode.revisions"
const keyReads = "FROM postcode.api_keys"

describe("a replica", () => {
  it.live("asks one statement a check, however many keys are in use, and reads them again once any was changed", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const here = yield* Layer.build(storeOn(url))
      const { count, replica: there } = yield* tracedReplica(url)
      const { id } = yield* Effect.provide(storedOrganization(), here)
      const keys = yield* Effect.replicateEffect(Effect.provide(storedKey(id), here), 20)
      const find = (hash: string) => Context.get(there, ApiKeys).findByHash(hash, nextTimestamp())
      const isCopied = () => keys.every(({ hash }) => Exit.isExit(find(hash)))
      const until = (holds: () => boolean) =>
        Effect.repeat(
          Effect.delay(
            Effect.sync(() => isCopied() && holds()),
            2
          ),
          { until: (held) => held }
        )

      yield* Effect.forEach(keys, ({ hash }) => find(hash))
      const read = count(keyReads)
      const checked = count(checks)
      yield* until(() => count(checks) >= checked + 10)
      assert.strictEqual(count(keyReads), read, "unchanged keys are not read again")

      const changed = keys[0]!
      yield* Context.get(here, ApiKeys).update(changed.record.id, { rate_limit_per_minute: 7 }, nextTimestamp())
      const limit = () => Effect.runSync(find(changed.hash))?.rate_limit_per_minute
      yield* until(() => limit() === 7)
      assert.strictEqual(count(keyReads), read + 1, "those in use are read together")

      const { record } = keys[1]!
      yield* Context.get(here, ApiKeys).revoke(record.id, nextTimestamp())
      yield* Effect.repeat(Effect.delay(Effect.sync(isCopied), 2), { while: (copied) => copied })
      assert.isUndefined(yield* find(keys[1]!.hash))
    }).pipe(Effect.scoped)
  )

  it.live("notices the first webhook, which another replica has created", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const here = yield* Layer.build(storeOn(url))
      const there = yield* Layer.build(storeOn(url))
      const { hasEndpoints } = Context.get(there, WebhookQueue)
      yield* Effect.repeat(Effect.delay(Effect.sync(hasEndpoints), 2), { while: (has) => has })
      const { id } = yield* Effect.provide(storedOrganization(), here)
      yield* Effect.provide(storedWebhook(id), here)
      yield* Effect.repeat(Effect.delay(Effect.sync(hasEndpoints), 2), { until: (has) => has })
    }).pipe(Effect.scoped)
  )
})
