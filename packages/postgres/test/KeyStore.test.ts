/** The ports of organizations, keys and access requests on PostgreSQL. */
import { accessRequestsSuite } from "@postcode/core/testing/AccessRequestsSuite"
import { apiKeysSuite } from "@postcode/core/testing/ApiKeysSuite"
import { organizationsSuite } from "@postcode/core/testing/OrganizationsSuite"
import { PostgresStore } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { layerTestSecrets } from "./TestSecrets.ts"

const store = Layer.unwrap(
  Effect.map(migratedDatabase, (url) => PostgresStore.layer({ url: Redacted.make(url) }))
).pipe(Layer.provide(layerTestSecrets))

organizationsSuite("on PostgreSQL", store)
apiKeysSuite("on PostgreSQL", store)
accessRequestsSuite("on PostgreSQL", store)
