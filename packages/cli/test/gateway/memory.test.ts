/** The gateway's conformance suite on the store that keeps everything in memory. */

import { gatewaySuite } from "@postcode/conformance/wire"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { MemoryStore } from "@postcode/memory"
import { Layer } from "effect"

gatewaySuite("in memory", ({ attributesOf, directory, warnings }) =>
  Layer.merge(
    MemoryStore.layer,
    layerDirectory(directory, (_, postcode) => attributesOf(postcode), { warnings })
  )
)
