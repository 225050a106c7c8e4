import { secretsSuite } from "@postcode/conformance"
import { layerNodeSecrets } from "@postcode/node/secrets"

secretsSuite("Secrets on node:crypto", layerNodeSecrets)
