/** The ports of organizations, keys and access requests on PostgreSQL. */

import { apiKeysSuite } from "@postcode/gateway/keys/ApiKeysSuite"
import { accessRequestsSuite } from "@postcode/gateway/organizations/AccessRequestsSuite"
import { organizationsSuite } from "@postcode/gateway/organizations/OrganizationsSuite"
import { layerStore } from "../TestStore.ts"

organizationsSuite("on PostgreSQL", layerStore)
apiKeysSuite("on PostgreSQL", layerStore)
accessRequestsSuite("on PostgreSQL", layerStore)
