/** Accounts to charge: each a new organization with a key and more credits than a run can use. */
import { composeKey, randomLength, visiblePrefix } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { randomAlphanumeric } from "@postcode/node/secrets"
import { layerDatabase, migrate, PostgresStore } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { hashKey, layerSecrets } from "./secrets.ts"

export interface Account {
  readonly organization_id: string
  readonly key_id: string
  /** The key's secret. No run reaches its rate limit. */
  readonly key: string
}

/** Creates the schema in a new database, and the accounts. */
export const openAccounts = (url: string, count: number): Promise<ReadonlyArray<Account>> => {
  const options = { url: Redacted.make(url) }
  const accounts = Effect.forEach(Array.from({ length: count }), () => openAccount)
  return Effect.runPromise(
    Effect.andThen(
      Effect.provide(migrate, layerDatabase(options)),
      Effect.provide(accounts, Layer.provide(PostgresStore.layer(options), layerSecrets))
    )
  )
}

const openAccount = Effect.gen(function* () {
  const organization_id = `org_${randomAlphanumeric(20)}`
  const key = composeKey("secret", "test", randomAlphanumeric(randomLength))
  const created_at = new Date().toISOString()
  yield* (yield* Organizations).create(
    {
      id: organization_id,
      name: "Hot account",
      granted_level: 3,
      kyb_status: "unverified",
      status: "active",
      rate_limit_per_minute: 1_000_000_000,
      created_at
    },
    { test: 1_000_000_000, live: 0 }
  )
  const key_id = `key_${randomAlphanumeric(20)}`
  yield* (yield* ApiKeys).create(
    {
      id: key_id,
      organization_id,
      name: "bench",
      kind: "secret",
      environment: "test",
      scopes: ["lookup"],
      max_level: 3,
      origins: [],
      allowed_ips: [],
      rate_limit_per_minute: 1_000_000_000,
      prefix: visiblePrefix(key),
      created_at
    },
    hashKey(key)
  )
  const account: Account = { organization_id, key_id, key }
  return account
})
