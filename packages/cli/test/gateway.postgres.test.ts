/** The gateway's conformance suite on PostgreSQL: on a database of its own that holds the fixture's directory. */
import { fixtureEdition, fixturePlaces, fixtureUnits, gatewaySuite } from "@postcode/http/testing"
import { Lease, layerCurrentDirectory, layerUnits, PostgresStore } from "@postcode/postgres"
import { importForTests, makeTestDatabase } from "@postcode/postgres/testing"
import { Effect, Layer, Redacted } from "effect"
import { layerTestSecrets } from "./TestSecrets.ts"

const database = Effect.acquireRelease(Effect.promise(makeTestDatabase), ({ drop }) => Effect.promise(drop))

const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* database
    yield* Effect.promise(() => importForTests(url, { places: fixturePlaces, units: fixtureUnits, ...fixtureEdition }))
    return layerUnits.pipe(
      Layer.provideMerge(layerCurrentDirectory()),
      Layer.provideMerge(PostgresStore.layer({ url: Redacted.make(url) }))
    )
  })
)

/** No rule of the suite is about a database that is late, and the machine may be busy with other tests. */
const layerPatience = Layer.succeed(Lease, 30_000)

gatewaySuite("on PostgreSQL", () => Layer.provide(layer, Layer.merge(layerTestSecrets, layerPatience)))
