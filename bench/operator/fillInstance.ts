/** An instance with many organizations, keys, usage, credits and audit events. */
import { connectToAddress } from "@postcode/drills/postgres"
import { layerDatabase, layerMaintenance, migrate } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import type { Client } from "pg"

/** What the calls need to know of the instance. */
export interface Instance {
  readonly organizations: number
  /** An organization with 90 rows of usage in 30 days, and with five events in the audit log. */
  readonly usual: string
  /** The organization with a tenth of all rows of usage, of many keys on 100 days. */
  readonly busy: string
  /** A name of one organization, whose first two letters no other has next to each other. */
  readonly rare: string
  readonly actor: string
  readonly subject: string
  /** The first days of a report of 30 and of 366 days. */
  readonly from: { readonly month: string; readonly year: string }
  readonly to: string
}

/** Organizations have 100 rows of usage each, on average, and one for each day of credits in 100 days. */
export const fillInstance = async (
  url: string,
  organizations: number,
  progress: (message: string) => void
): Promise<Instance> => {
  await Effect.runPromise(Effect.provide(migrate, layerDatabase({ url: Redacted.make(url) })))
  const client = await connectToAddress(url)
  try {
    await client.query("SET synchronous_commit = off")
    await client.query("SET TimeZone = 'UTC'")
    await makeMonths(client, url)
    for (const [what, statement] of statements) {
      progress(`storing ${what} of ${organizations} organizations`)
      await client.query(statement.replaceAll("$N", `${organizations}`))
    }
    progress("collecting statistics, and storing the totals of past days")
    await client.query("VACUUM ANALYZE")
    await client.query("CHECKPOINT")
    await runMaintenance(url, async () => (await rowsIn(client, "postcode.credit_totals")) > 0)
    return await instanceOf(client, organizations)
  } finally {
    await client.end()
  }
}

/** A row in each past month makes maintenance create the months of the journals. */
const makeMonths = async (client: Client, url: string): Promise<void> => {
  await client.query(`INSERT INTO postcode.usage_by_key
    SELECT 'org', 'live', now()::date - 25 * i, 'key', 'lookup.single', 1, 200, 1, 0 FROM generate_series(0, 5) i`)
  await client.query(`INSERT INTO postcode.usage_by_day
    SELECT 'org', 'live', now()::date - 25 * i, 'lookup.single', 1, 200, 1, 0 FROM generate_series(0, 5) i`)
  await client.query(`INSERT INTO postcode.audit_events
      (organization_id, number, stored_at, id, at, actor, action, subject, details)
    SELECT 'org', i + 1, at, 'evt', at, 'operator', 'key.created', 'key', '{}'
    FROM generate_series(0, 14) i, LATERAL (SELECT now() - make_interval(days => 25 * i)) past (at)`)
  const tables = ["usage_by_key", "usage_by_day", "audit_events"]
  await runMaintenance(url, async () => {
    const left = await Promise.all(tables.map((table) => rowsIn(client, `postcode.${table}_default`)))
    return left.every((rows) => rows === 0)
  })
}

/** Runs maintenance until its result is there. */
const runMaintenance = (url: string, isDone: () => Promise<boolean>): Promise<void> =>
  Effect.runPromise(
    Effect.repeat(Effect.delay(Effect.promise(isDone), 100), { until: (done) => done }).pipe(
      Effect.asVoid,
      Effect.provide(Layer.provide(layerMaintenance(), layerDatabase({ url: Redacted.make(url) })))
    )
  )

const rowsIn = async (client: Client, table: string): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${table}`)
  return rows[0]?.count ?? 0
}

/** Names in which every text of a search is as frequent as its call says. */
const name = `(ARRAY['Kano', 'Abuja', 'Ikeja', 'Ibadan', 'Enugu', 'Jos', 'Benin', 'Owerri', 'Minna', 'Sokoto'])[1 + i % 10]
  || CASE WHEN i % 200 = 7 THEN ' Zungeru' ELSE '' END
  || (ARRAY[' Parcels', ' Foods', ' Motors', ' Textiles', ' Farms', ' Pharmacy', ' Couriers'])[1 + i % 7]
  || ' ' || i || CASE WHEN i % 2 = 0 THEN ' Limited' ELSE ' Group' END`

/** The parts of a name, as the store computes them: a search that finds another number of organizations fails. */
const nameParts = `ARRAY(
  SELECT DISTINCT substr(lower(name), start, length)
  FROM generate_series(1, char_length(name)) start, generate_series(1, 3) length
  WHERE start + length - 1 <= char_length(name))`

/** The rows, with the number of organizations as $N. */
const statements: ReadonlyArray<readonly [what: string, statement: string]> = [
  [
    "names",
    `INSERT INTO postcode.organizations (id, number, name, name_parts, granted_level, kyb_status, status, created_at)
    SELECT 'org_' || i, i, name, ${nameParts}, 1 + i % 3, CASE WHEN i % 50 = 0 THEN 'pending' ELSE 'verified' END,
      CASE WHEN i % 100 = 0 THEN 'suspended' ELSE 'active' END, now()
    FROM generate_series(1, $N) i, LATERAL (
      SELECT CASE WHEN i = $N / 2 THEN 'Qwzra Stores' ELSE ${name} END
    ) named (name)`
  ],
  [
    "accounts",
    `INSERT INTO postcode.credit_accounts
      (organization_id, environment, balance, entries, charged_day, charged_today)
    SELECT 'org_' || i, environment, 1000, 1, now()::date - i % 20, i % 7
    FROM generate_series(1, $N) i, (VALUES ('test'), ('live')) environments (environment)`
  ],
  [
    "credits",
    `INSERT INTO postcode.credit_days (organization_id, environment, day, sum, credits)
    SELECT 'org_' || i, 'live', now()::date - 20 - (i + day * 4) % 80, 'charged', 1 + i % 5
    FROM generate_series(1, $N) i, generate_series(0, 19) day`
  ],
  [
    "usage",
    `INSERT INTO postcode.usage_by_key
    SELECT 'org_' || i, 'live', now()::date - day, 'key_' || i, operation, 1, 200, 10, 1
    FROM generate_series(2, $N) i, generate_series(0, 29) day,
      (VALUES ('lookup.single'), ('search.address'), ('search.reverse')) operations (operation)`
  ],
  [
    "the usage of the busiest",
    `INSERT INTO postcode.usage_by_key
    SELECT 'org_1', 'live', now()::date - day, 'key_1_' || key, 'operation.' || kind, 2, 200 + 200 * (kind % 2), 10, 1
    FROM generate_series(0, 99) day, generate_series(1, $N / 100) key, generate_series(0, 9) kind`
  ],
  [
    "the usage without keys",
    `INSERT INTO postcode.usage_by_day
    SELECT organization_id, environment, date, operation, level, status, sum(requests), sum(credits)
    FROM postcode.usage_by_key WHERE organization_id <> 'org'
    GROUP BY organization_id, environment, date, operation, level, status`
  ],
  [
    "the audit log",
    `INSERT INTO postcode.audit_events
      (organization_id, number, stored_at, id, at, actor, action, subject, details)
    SELECT 'org_' || i, 100 + (5 - event)::bigint * $N + i, at, 'evt_' || i || '_' || event, at, 'acc_' || i % 50,
      'key.created', 'key_' || i || '_' || event, '{}'
    FROM generate_series(1, $N) i, generate_series(0, 4) event,
      LATERAL (SELECT now() - make_interval(days => 70 * event)) past (at)`
  ]
]

const instanceOf = async (client: Client, organizations: number): Promise<Instance> => {
  const { rows } = await client.query<{ month: string; year: string; today: string }>(
    "SELECT (now()::date - 29)::text AS month, (now()::date - 365)::text AS year, now()::date::text AS today"
  )
  const { month = "", today = "", year = "" } = rows[0] ?? {}
  return {
    organizations,
    usual: "org_77",
    busy: "org_1",
    rare: "Qwzra Stores",
    actor: "acc_7",
    subject: "key_77_3",
    from: { month, year },
    to: today
  }
}
