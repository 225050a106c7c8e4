/** The gateway's conformance suite on a store that another thread has, as a worker reaches it. */
import { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { fixtureUnits, gatewaySuite } from "@postcode/http/testing"
import { Layer } from "effect"
import { makeStoreThread } from "./StoreThread.ts"

const { layer } = makeStoreThread({ units: fixtureUnits.map(({ attributes, postcode }) => [postcode, attributes]) })

gatewaySuite("in another thread", ({ directory }) =>
  Layer.merge(layer, Layer.succeed(CurrentDirectory, { get: () => directory }))
)
