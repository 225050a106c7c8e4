import { secretsSuite } from "@postcode/core/store/SecretsSuite"
import { layerNodeSecrets } from "@postcode/http"

secretsSuite("Secrets on node:crypto", layerNodeSecrets)
