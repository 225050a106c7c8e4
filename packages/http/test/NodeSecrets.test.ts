import { secretsSuite } from "@postcode/core/testing/SecretsSuite"
import { layerNodeSecrets } from "@postcode/http"

secretsSuite("Secrets on node:crypto", layerNodeSecrets)
