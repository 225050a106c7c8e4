/** The gateway's conformance suite on PostgreSQL: on a database of its own that holds the fixture's directory. */

import { type GatewaySuitePart, gatewaySuite } from "@postcode/conformance/wire"
import { fixtureDatabase, layerStoreOn } from "@postcode/drills/FixtureDatabase"
import { layerTestSecrets } from "@postcode/drills/TestSecrets"
import { FollowerTimes } from "@postcode/postgres"
import { Effect, Layer } from "effect"

const layer = Layer.unwrap(Effect.map(fixtureDatabase, layerStoreOn))

/** No rule of the suite is about a database that is late, and the machine may be busy with other tests. */
const layerTimes = Layer.succeed(FollowerTimes, { lifetime_ms: 30_000, interval_ms: 200 })

export const postgresGatewaySuite = (...parts: ReadonlyArray<GatewaySuitePart>): void =>
  gatewaySuite("on PostgreSQL", () => Layer.provide(layer, Layer.merge(layerTestSecrets, layerTimes)), parts)
