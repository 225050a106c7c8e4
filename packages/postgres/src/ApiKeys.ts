/**
 * API keys on PostgreSQL. A replica keeps copies of the keys that it was asked for, and relies on them only as long as it
 * knows that no key and no grant has changed, see `Epochs`. So a free request asks the database nothing, and a revoked
 * key is refused everywhere within 600 ms, or no key is answered at all.
 */
import type { ApiKeyRecord, Principal } from "@postcode/core/ApiKey"
import { NotFound, type Unavailable } from "@postcode/core/Errors"
import { ApiKeys } from "@postcode/core/ports/ApiKeys"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking, databaseAway } from "./Database.ts"
import { Epochs } from "./Epochs.ts"
import { changeKeys } from "./KeyChanges.ts"
import { type FoundKey, type KeyName, makeKeyLookups } from "./KeyLookups.ts"
import { type KeyUse, type LastUses, makeLastUses } from "./LastUses.ts"
import { noSuchOrganization } from "./Organizations.ts"
import { numberBefore, pageOf, rowsOfPage } from "./Paging.ts"
import { RecentlyUsed } from "./RecentlyUsed.ts"

/** Of how many keys a replica keeps copies, by hash and by id each. A name that no key has leaves nothing, so nobody can fill it up. */
const mostCopies = 100_000

export const layerApiKeys: Layer.Layer<ApiKeys, never, Epochs | SqlClient> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const epochs = yield* Epochs
    const uses = yield* makeLastUses(sql)
    const findByHash = yield* makeFind("hash", uses)
    const findById = yield* makeFind("id", uses)

    const create: Service["create"] = (key, hash) =>
      Effect.gen(function* () {
        const stored = yield* sql`INSERT INTO postcode.api_keys (organization_id, id, hash, name, kind, environment,
            scopes, max_level, origins, rate_limit_per_minute, prefix, created_at)
          SELECT o.id, ${key.id}, ${hash}, ${key.name}, ${key.kind}, ${key.environment}, ${key.scopes}::text[],
            ${key.max_level}::smallint, ${key.origins}::text[], ${key.rate_limit_per_minute ?? null}::integer,
            ${key.prefix}, ${key.created_at}::timestamptz
          FROM postcode.organizations o WHERE o.id = ${key.organization_id} RETURNING id`
        if (stored.length === 0) return yield* noSuchOrganization
      }).pipe(asking)

    const list: Service["list"] = (organization_id, page) =>
      Effect.gen(function* () {
        const before = yield* numberBefore(page)
        // The replica that is asked shows at least what it knows itself.
        yield* uses.write
        const rows = yield* sql<KeyRow>`SELECT ${keyColumns(sql)} FROM postcode.api_keys
          WHERE organization_id = ${organization_id} AND number < ${before}
          ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
        if (rows.length === 0) {
          const organization = yield* sql`SELECT FROM postcode.organizations WHERE id = ${organization_id}`
          if (organization.length === 0) return yield* noSuchOrganization
        }
        return pageOf(rows, page, toRecord)
      }).pipe(asking)

    const get: Service["get"] = (id) =>
      Effect.flatMap(sql<KeyRow>`SELECT ${keyColumns(sql)} FROM postcode.api_keys WHERE id = ${id}`, ([row]) =>
        row === undefined ? Effect.fail(noSuchKey) : Effect.succeed(toRecord(row))
      ).pipe(asking)

    const revoke: Service["revoke"] = (id, revoked_at) =>
      Effect.gen(function* () {
        const found = sql<KeyRow>`SELECT ${keyColumns(sql)} FROM postcode.api_keys WHERE id = ${id}`
        const [key] = yield* found
        if (key === undefined) return yield* noSuchKey
        const { organization_id } = key
        const change = Effect.map(
          sql<KeyRow>`UPDATE postcode.api_keys SET revoked_at = ${revoked_at}
            WHERE organization_id = ${organization_id} AND id = ${id} AND revoked_at IS NULL RETURNING ${keyColumns(sql)}`,
          ([row]) => row
        )
        const revoked = yield* changeKeys(sql, epochs, organization_id, change)
        if (revoked !== undefined) return { record: toRecord(revoked), repeated: false }
        const [already = key] = yield* found
        return { record: toRecord(already), repeated: true }
      }).pipe(asking)

    return ApiKeys.of({ create, findByHash, findById, get, list, revoke })
  })
)

type Service = ApiKeys["Service"]

/** A copy of a key in force, as it is answered, and where its uses are noted. */
interface KeyCopy {
  readonly answer: Exit.Exit<Principal>
  readonly use: KeyUse
}

const makeFind = Effect.fnUntraced(function* (by: KeyName, uses: LastUses) {
  const epochs = yield* Epochs
  const lookUp = yield* makeKeyLookups(yield* SqlClient, by)
  const copies = new RecentlyUsed<KeyCopy>(mostCopies)
  yield* epochs.onChange("keys", () => copies.clear())

  const keep = (name: string, principal: Principal): KeyCopy => {
    const copy = { answer: Exit.succeed(principal), use: uses.of(principal) }
    copies.set(name, copy)
    return copy
  }

  const answer = (copy: KeyCopy, now: string): Exit.Exit<Principal> => {
    uses.mark(copy.use, now)
    return copy.answer
  }

  const ask = (name: string, now: string): Effect.Effect<Principal | undefined, Unavailable> => {
    const copy = copies.get(name)
    if (copy !== undefined) return answer(copy, now)
    return Effect.flatMap(lookUp(name), (found) => receive(name, now, found))
  }

  /** What was found counts only if no key has changed since. */
  const receive = (name: string, now: string, { epoch, principal }: FoundKey) => {
    epochs.observe("keys", epoch)
    if (!epochs.inForce() || epoch !== epochs.current("keys")) return find(name, now)
    return principal === undefined ? nobody : answer(copies.get(name) ?? keep(name, principal), now)
  }

  const find: Service["findByHash"] = (name, now) =>
    Effect.suspend(() =>
      epochs.inForce()
        ? ask(name, now)
        : Effect.flatMap(epochs.soonInForce, (isInForce) => (isInForce ? ask(name, now) : away))
    )

  return find
})

const away = Exit.fail(databaseAway)
const nobody = Exit.succeed(undefined)
const noSuchKey = new NotFound({ message: "there is no key with this id" })

type KeyRow = Omit<ApiKeyRecord, "created_at" | "last_used_at" | "rate_limit_per_minute" | "revoked_at"> & {
  readonly number: bigint
  readonly rate_limit_per_minute: number | null
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const keyColumns = (sql: SqlClient) =>
  sql.literal(
    "organization_id, id, number, name, kind, environment, scopes, max_level, origins, rate_limit_per_minute, prefix, created_at, last_used_at, revoked_at"
  )

const toRecord = (row: KeyRow): ApiKeyRecord => ({
  id: row.id,
  organization_id: row.organization_id,
  name: row.name,
  kind: row.kind,
  environment: row.environment,
  scopes: row.scopes,
  max_level: row.max_level,
  origins: row.origins,
  ...(row.rate_limit_per_minute !== null && { rate_limit_per_minute: row.rate_limit_per_minute }),
  prefix: row.prefix,
  created_at: row.created_at.toISOString(),
  ...(row.last_used_at !== null && { last_used_at: row.last_used_at.toISOString() }),
  ...(row.revoked_at !== null && { revoked_at: row.revoked_at.toISOString() })
})
