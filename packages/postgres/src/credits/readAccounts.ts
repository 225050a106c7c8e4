/** Reads everything that decisions about charges depend on, in one statement. */
import { PgTypes } from "@effect/sql-pg"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type {
  ChargeableAccount,
  ChargeableKey,
  ChargeReceipt,
  CreditAccount,
  Environment,
  IdempotencyRecord,
  KeyDay
} from "@postcode/core/Credits"
import { organizationFacts } from "@postcode/gateway/credits/charges/chargeFacts"
import type { KybStatus, OrganizationStatus } from "@postcode/gateway/organizations/Organization"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type ChargeBatch, columnIn, namesOf } from "./ChargeBatch.ts"
import type { LastDay } from "./CreditDays.ts"
import { openFrom } from "./months/StoredMonths.ts"

/** An account at a revision. */
export interface AccountState extends ChargeableAccount {
  /** The number of its entries. */
  readonly entries: number
  readonly revision: number
  /** Undefined before the first charge. */
  readonly lastDay: LastDay | undefined
  /** The earliest time of its next entry, in microseconds since 1970; `-Infinity` if it has none. */
  readonly next_entry_us: number
}

/** The state for one batch. */
export interface BatchState {
  /** Undefined if it does not exist. */
  readonly account: AccountState | undefined
  /** Receipts of charges that are already written, by the ids of their entries. */
  readonly written: ReadonlyMap<string, ChargeReceipt>
}

/** The states of all batches, and the time by the database's clock, in microseconds since 1970. */
export interface ReadAccounts {
  readonly now_us: number
  readonly states: ReadonlyArray<BatchState>
}

/**
 * Reads the accounts of batches. Each lookup is lateral with `LIMIT 1`, so that it uses the whole key of an index,
 * whatever the statistics of the tables are.
 *
 * @param findWritten whether to look for entries of these charges, which a commit in doubt may have written
 */
export const readAccounts = (
  sql: SqlClient,
  batches: ReadonlyArray<ChargeBatch>,
  findWritten: boolean
): Effect.Effect<ReadAccounts, SqlError> => {
  const lookups = batches.flatMap((batch, i) => lookupsOf(batch, i, findWritten))
  const { environment, organization } = namesOf(sql, batches)
  const rows = sql<LookupRow>`
    SELECT w.place::integer, extract(epoch FROM statement_timestamp())::float8 * 1e6 AS now_us,
      a.balance::float8, a.entries::float8, a.revision::float8, a.low_balance_threshold::float8,
      a.is_shortage_reported, a.charged_day::text, a.charged_today::float8,
      extract(epoch FROM greatest(a.last_entry_at, ${openFrom(sql)}))::float8 * 1e6 AS next_entry_us,
      o.granted_level, o.kyb_status, o.status, k.environment, k.expires_at, k.revoked_at, k.daily_credit_limit,
      k.chain_id,
      d.charged::float8 AS key_charged_today, d.reported_limit, r.fingerprint, r.charged::float8,
      extract(epoch FROM r.expires_at)::float8 * 1e3 AS expires_at_ms,
      ${findWritten ? sql.literal("-e.amount::float8 AS written, e.balance_after::float8") : sql.literal("NULL::float8 AS written, NULL::float8 AS balance_after")}
    FROM ${lookupRows(sql, batches, lookups)}
    CROSS JOIN LATERAL (
      SELECT * FROM postcode.credit_accounts a
      WHERE a.organization_id = ${organization} AND a.environment = ${environment} LIMIT 1
    ) a
    CROSS JOIN LATERAL (SELECT * FROM postcode.organizations o WHERE o.id = ${organization} LIMIT 1) o
    LEFT JOIN LATERAL (
      SELECT * FROM postcode.api_keys k WHERE k.organization_id = ${organization} AND k.id = w.key_id LIMIT 1
    ) k ON true
    LEFT JOIN LATERAL (
      SELECT * FROM postcode.key_days d
      WHERE k.daily_credit_limit IS NOT NULL AND d.organization_id = ${organization}
        AND d.chain_id = coalesce(k.chain_id, k.id)
        AND d.day = (statement_timestamp() AT TIME ZONE 'UTC')::date LIMIT 1
    ) d ON true
    LEFT JOIN LATERAL (
      SELECT * FROM postcode.idempotency_keys r
      WHERE w.idempotency_key IS NOT NULL AND r.organization_id = ${organization}
        AND r.chain_id = coalesce(k.chain_id, k.id)
        AND r.idempotency_key = w.idempotency_key LIMIT 1
    ) r ON true${findWritten ? writtenEntry(sql, organization) : sql.literal("")}`
  return Effect.map(rows, (rows) => toStates(batches, lookups, rows))
}

/**
 * An entry that a commit in doubt may have written, a few seconds ago. The bound of its time keeps the number of months
 * that are searched constant; it is wide enough for any error of a clock.
 */
const writtenEntry = (sql: SqlClient, organization: Fragment): Fragment => sql`
    LEFT JOIN LATERAL (
      SELECT * FROM postcode.ledger_entries e
      WHERE w.entry_id IS NOT NULL AND e.organization_id = ${organization} AND e.id = w.entry_id
        AND e.created_at >= statement_timestamp() - interval '31 days' LIMIT 1
    ) e ON true`

/** A row to read: an API key, its idempotency key, and an entry that may already be written. */
interface Lookup {
  /** The index of its batch. */
  readonly batch: number
  readonly account: CreditAccount
  readonly key_id: string
  readonly idempotency_key: string | null
  readonly entry_id: string | null
}

interface LookupRow {
  /** The position of the lookup, from 1. */
  readonly place: number
  readonly now_us: number
  readonly balance: number
  readonly entries: number
  readonly revision: number
  readonly low_balance_threshold: number | null
  readonly is_shortage_reported: boolean
  readonly charged_day: string | null
  readonly charged_today: number
  readonly next_entry_us: number
  readonly granted_level: AccessLevel
  readonly kyb_status: KybStatus
  readonly status: OrganizationStatus
  /** Columns of the key; null if it does not exist. */
  readonly environment: Environment | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly daily_credit_limit: number | null
  readonly chain_id: string | null
  /** Columns of its chain's day; null if there is none. */
  readonly key_charged_today: number | null
  readonly reported_limit: number | null
  /** Columns of the idempotency record; null if there is none. */
  readonly fingerprint: string | null
  readonly charged: number
  readonly expires_at_ms: number
  /** The amount charged by the entry; null if there is none. */
  readonly written: number | null
  readonly balance_after: number
}

/** One lookup for each pair of keys, or for each charge if entries are looked for. */
const lookupsOf = (batch: ChargeBatch, i: number, findWritten: boolean): ReadonlyArray<Lookup> => {
  const lookups = new Map<string, Lookup>()
  for (const { charge, id } of batch) {
    const idempotency_key = charge.idempotency?.key ?? null
    const name = findWritten ? id : nameWith(charge.key_id, idempotency_key)
    const entry_id = findWritten ? id : null
    lookups.set(name, { batch: i, account: charge, key_id: charge.key_id, idempotency_key, entry_id })
  }
  return [...lookups.values()]
}

/** Of a key or a chain. Unambiguous, because ids contain no spaces. */
const nameWith = (id: string, idempotency_key: string | null): string =>
  idempotency_key === null ? id : `${id} ${idempotency_key}`

/** The lookups as rows of `w`. */
const lookupRows = (sql: SqlClient, batches: ReadonlyArray<ChargeBatch>, lookups: ReadonlyArray<Lookup>) => {
  const column = columnIn(sql, lookups)
  const texts = (fieldOf: (lookup: Lookup) => string | null) => column(PgTypes.OID.text, fieldOf)
  const keys = sql`${texts(({ key_id }) => key_id)}, ${texts((lookup) => lookup.idempotency_key)},
    ${texts(({ entry_id }) => entry_id)}`
  return namesOf(sql, batches).areColumns
    ? sql`unnest(${keys}, ${texts(({ account }) => account.organization_id)},
          ${texts(({ account }) => account.environment)}) WITH ORDINALITY
        AS w (key_id, idempotency_key, entry_id, organization_id, environment, place)`
    : sql`unnest(${keys}) WITH ORDINALITY AS w (key_id, idempotency_key, entry_id, place)`
}

/** The rows of one batch. */
interface FoundRows {
  first: LookupRow | undefined
  readonly keys: Map<string, ChargeableKey>
  /** By chain. */
  readonly days: Map<string, KeyDay>
  /** By chain and idempotency key. */
  readonly records: Map<string, IdempotencyRecord>
  readonly written: Map<string, ChargeReceipt>
}

const toStates = (
  batches: ReadonlyArray<ChargeBatch>,
  lookups: ReadonlyArray<Lookup>,
  rows: ReadonlyArray<LookupRow>
): ReadAccounts => {
  const found = batches.map(
    (): FoundRows => ({ first: undefined, keys: new Map(), days: new Map(), records: new Map(), written: new Map() })
  )
  for (const row of rows) {
    const lookup = lookups[row.place - 1] as Lookup
    addRow(found[lookup.batch] as FoundRows, lookup, row)
  }
  const states = found.map((rows, i) => ({ account: toAccount(batches[i]?.[0]?.charge, rows), written: rows.written }))
  return { now_us: rows[0]?.now_us ?? 0, states }
}

const addRow = (found: FoundRows, { account, entry_id, idempotency_key, key_id }: Lookup, row: LookupRow): void => {
  const { balance_after, charged, expires_at_ms, fingerprint, written } = row
  const chain_id = row.chain_id ?? key_id
  found.first ??= row
  if (row.environment !== null) {
    found.keys.set(key_id, {
      id: key_id,
      organization_id: account.organization_id,
      environment: row.environment,
      chain_id,
      daily_credit_limit: row.daily_credit_limit ?? undefined,
      expires_at_ms: row.expires_at?.getTime(),
      is_revoked: row.revoked_at !== null
    })
  }
  if (row.key_charged_today !== null) {
    found.days.set(chain_id, { charged: row.key_charged_today, reported_limit: row.reported_limit ?? undefined })
  }
  if (fingerprint !== null) {
    found.records.set(nameWith(chain_id, idempotency_key), { fingerprint, charged, expires_at_ms })
  }
  if (entry_id !== null && written !== null) found.written.set(entry_id, { charged: written, balance: balance_after })
}

const toAccount = (
  account: CreditAccount | undefined,
  { days, first, keys, records }: FoundRows
): AccountState | undefined => {
  if (account === undefined || first === undefined) return undefined
  const { balance, entries, granted_level, is_shortage_reported, kyb_status, low_balance_threshold, revision, status } =
    first
  return {
    organization_id: account.organization_id,
    environment: account.environment,
    balance,
    entries,
    revision,
    low_balance_threshold,
    is_shortage_reported,
    lastDay: first.charged_day === null ? undefined : { date: first.charged_day, charged: first.charged_today },
    next_entry_us: first.next_entry_us,
    organization: organizationFacts({ granted_level, kyb_status, status }),
    findKey: (key_id) => keys.get(key_id),
    findToday: (chain_id) => days.get(chain_id),
    findRecord: (chain_id, key) => records.get(nameWith(chain_id, key))
  }
}
