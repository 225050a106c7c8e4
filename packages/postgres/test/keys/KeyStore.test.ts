/** The ports of organizations, keys and access requests on PostgreSQL. */

import { accessRequestsSuite, apiKeysSuite, organizationsSuite } from "@postcode/conformance"
import { layerStore } from "../TestStore.ts"

organizationsSuite("on PostgreSQL", layerStore)
apiKeysSuite("on PostgreSQL", layerStore)
accessRequestsSuite("on PostgreSQL", layerStore)
