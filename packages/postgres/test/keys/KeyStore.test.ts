/** The ports of organizations, keys and access requests on PostgreSQL. */

import { apiKeysSuite } from "@postcode/core/keys/ApiKeysSuite"
import { accessRequestsSuite } from "@postcode/core/organizations/AccessRequestsSuite"
import { organizationsSuite } from "@postcode/core/organizations/OrganizationsSuite"
import { layerStore } from "../TestStore.ts"

organizationsSuite("on PostgreSQL", layerStore)
apiKeysSuite("on PostgreSQL", layerStore)
accessRequestsSuite("on PostgreSQL", layerStore)
