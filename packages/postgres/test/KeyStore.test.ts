/** The ports of organizations, keys and access requests on PostgreSQL. */
import { accessRequestsSuite } from "@postcode/core/testing/AccessRequestsSuite"
import { apiKeysSuite } from "@postcode/core/testing/ApiKeysSuite"
import { organizationsSuite } from "@postcode/core/testing/OrganizationsSuite"
import { layerStore } from "./TestStore.ts"

organizationsSuite("on PostgreSQL", layerStore)
apiKeysSuite("on PostgreSQL", layerStore)
accessRequestsSuite("on PostgreSQL", layerStore)
