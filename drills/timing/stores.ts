/** The two stores that a service is timed on. */

import { makeFixture } from "@postcode/conformance/wire"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { MemoryStore } from "@postcode/memory"
import { FollowerTimes, layerDatabase, migrate, PostgresStore } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { makeTestDatabase } from "../kit/postgres/index.ts"
import { layerTestSecrets } from "../kit/TestSecrets.ts"

const { attributesOf, directory } = makeFixture()
const layerFixture = layerDirectory(directory, (_, postcode) => attributesOf(postcode))

const memory = Layer.mergeAll(MemoryStore.layer, layerFixture, layerTestSecrets)

const database = Effect.acquireRelease(Effect.promise(makeTestDatabase), ({ drop }) => Effect.promise(drop))

const postgres = Layer.unwrap(
  Effect.map(database, ({ url }) => {
    const options = { url: Redacted.make(url) }
    const prepared = Layer.effectDiscard(Effect.provide(migrate, layerDatabase(options)))
    return Layer.mergeAll(Layer.provide(PostgresStore.layer(options), prepared), layerFixture).pipe(
      Layer.provideMerge(layerTestSecrets),
      // The machine may be busy with other tests, and a request that is refused has no time to compare.
      Layer.provide(Layer.succeed(FollowerTimes, { lifetime_ms: 30_000, interval_ms: 200 }))
    )
  })
)

export const stores = { "in memory": memory, "on PostgreSQL": postgres } as const
