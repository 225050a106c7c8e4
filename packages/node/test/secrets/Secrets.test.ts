import { secretsSuite } from "@postcode/core/store/SecretsSuite"
import { layerNodeSecrets } from "@postcode/node/secrets"

secretsSuite("Secrets on node:crypto", layerNodeSecrets)
