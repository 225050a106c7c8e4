/** The gateway's conformance suite on the store that keeps everything in memory. */

import { type GatewaySuitePart, gatewaySuite } from "@postcode/conformance/wire"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { MemoryStore } from "@postcode/memory"
import { Layer } from "effect"

export const memoryGatewaySuite = (...parts: ReadonlyArray<GatewaySuitePart>): void =>
  gatewaySuite(
    "in memory",
    ({ attributesOf, directory, warnings }) =>
      Layer.merge(
        MemoryStore.layer,
        layerDirectory(directory, (_, postcode) => attributesOf(postcode), { warnings })
      ),
    parts
  )
