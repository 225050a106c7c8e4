/** The two stores that a service is timed on. */

import { makeFixture } from "@postcode/conformance/wire"
import { SignUpLimits } from "@postcode/gateway/accounts/links/AccountLink"
import { SignUpSettings } from "@postcode/gateway/accounts/signUp/SignUpSettings"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { MemoryStore } from "@postcode/memory"
import { FollowerTimes, layerDatabase, migrate, PostgresStore } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { makeTestDatabase } from "../kit/postgres/index.ts"
import { layerTestSecrets } from "../kit/TestSecrets.ts"

const { attributesOf, directory } = makeFixture()
const layerFixture = layerDirectory(directory, (_, postcode) => attributesOf(postcode))

/** Mail is stored and never sent, and no limit ends the measurement. */
const unlimited = 1_000_000_000
const withMail = Layer.mergeAll(
  Layer.succeed(NoticeLimits, {
    isOn: true,
    address_per_hour: unlimited,
    client_per_hour: unlimited,
    per_day: unlimited
  }),
  Layer.succeed(SignUpLimits, { client_per_hour: unlimited, network_per_hour: unlimited, all_per_day: unlimited }),
  Layer.succeed(SignUpSettings, { mode: "open", domains: [], isMailPrinted: false })
)

const memory = Layer.mergeAll(Layer.provide(MemoryStore.layer, withMail), layerFixture, layerTestSecrets, withMail)

const database = Effect.acquireRelease(Effect.promise(makeTestDatabase), ({ drop }) => Effect.promise(drop))

const postgres = Layer.unwrap(
  Effect.map(database, ({ url }) => {
    const options = { url: Redacted.make(url) }
    const prepared = Layer.effectDiscard(Effect.provide(migrate, layerDatabase(options)))
    const store = PostgresStore.layer(options).pipe(Layer.provide(prepared), Layer.provide(withMail))
    return Layer.mergeAll(store, layerFixture, withMail).pipe(
      Layer.provideMerge(layerTestSecrets),
      // The machine may be busy with other tests, and a request that is refused has no time to compare.
      Layer.provide(Layer.succeed(FollowerTimes, { lifetime_ms: 30_000, interval_ms: 200 }))
    )
  })
)

export const stores = { "in memory": memory, "on PostgreSQL": postgres } as const
