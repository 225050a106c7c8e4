import { secretsSuite } from "@postcode/gateway/store/SecretsSuite"
import { layerNodeSecrets } from "@postcode/node/secrets"

secretsSuite("Secrets on node:crypto", layerNodeSecrets)
