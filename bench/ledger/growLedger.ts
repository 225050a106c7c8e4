/** A ledger that has grown over months, written by the database itself. */
import type { Client } from "pg"
import type { Account } from "../credits/accounts.ts"

/** `2026-01`, this number of months ago. */
export const monthsAgo = (months: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7)
}

const tableOf = (month: string): string => `postcode.ledger_entries_${month.replace("-", "_")}`

/** Creates the partition of a month, as the service does in advance. */
export const addMonth = async (client: Client, months: number): Promise<void> => {
  const [month, next] = [monthsAgo(months), monthsAgo(months - 1)]
  const table = tableOf(month)
  await client.query(`CREATE TABLE ${table} (LIKE postcode.ledger_entries INCLUDING ALL);
    CREATE UNIQUE INDEX ON ${table} (organization_id, id);
    ALTER TABLE postcode.ledger_entries ATTACH PARTITION ${table}
      FOR VALUES FROM ('${month}-01 00:00:00+00') TO ('${next}-01 00:00:00+00')`)
}

/** Gives the accounts opening entries at the start of a month, instead of now. */
export const openIn = async (client: Client, months: number): Promise<void> => {
  const at = `'${monthsAgo(months)}-01 00:00:00+00'::timestamptz`
  await client.query(`UPDATE postcode.ledger_entries SET created_at = ${at};
    UPDATE postcode.credit_accounts SET last_entry_at = ${at}`)
}

/**
 * Adds charges of 1 credit, of all accounts in turn, over the first seconds of a month.
 *
 * @param count a multiple of the number of accounts
 */
export const grow = async (client: Client, accounts: ReadonlyArray<Account>, count: number, months: number) => {
  const each = Math.ceil(count / accounts.length)
  const start = `'${monthsAgo(months)}-01 00:00:01+00'::timestamptz`
  const ids = accounts.map(({ organization_id }) => organization_id)
  await client.query(
    `INSERT INTO postcode.ledger_entries
      (organization_id, environment, number, id, amount, reason, reference, key_id, level, balance_after, created_at)
    SELECT a.organization_id, 'test', a.entries + n,
      'ent_' || lpad(to_hex((extract(epoch FROM ${start} + n * interval '1 millisecond') * 1000)::bigint), 12, '0')
        || left(md5(random()::text), 20),
      -1, 'lookup', gen_random_uuid(), 'key_0123456789abcdefghij', 2, a.balance - n,
      ${start} + n * interval '1 millisecond'
    FROM generate_series(1, $2::integer) AS n
    CROSS JOIN unnest($1::text[]) WITH ORDINALITY AS w (id, place)
    JOIN postcode.credit_accounts a ON a.organization_id = w.id AND a.environment = 'test'
    ORDER BY n, w.place`,
    [ids, each]
  )
  await client.query(
    `UPDATE postcode.credit_accounts SET balance = balance - $2, entries = entries + $2,
      last_entry_at = ${start} + $2 * interval '1 millisecond'
    WHERE organization_id = ANY ($1) AND environment = 'test'`,
    [ids, each]
  )
  await client.query("VACUUM ANALYZE postcode.ledger_entries")
}
