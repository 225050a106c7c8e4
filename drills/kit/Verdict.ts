/** Holds what clients saw against what the ledger holds. */

import { type CorrectionAttempt, wrongCorrections } from "../chaos/Corrections.ts"
import type { Attempt } from "./Clients.ts"
import { groupBy } from "./groupBy.ts"
import { isCorrection, type LedgerRow, type Wrong } from "./LedgerRow.ts"

/** What runs a query: a connection to PostgreSQL. */
interface Client {
  // biome-ignore lint/suspicious/noExplicitAny: as in pg, the query decides.
  readonly query: (sql: string) => Promise<{ readonly rows: ReadonlyArray<any> }>
}

export interface Verdict {
  readonly rows: number
  /** Those of charges, without grants and corrections. */
  readonly charges: number
  readonly balances: Readonly<Record<string, number>>
  readonly wrong: Wrong
}

export const judge = async (
  client: Client,
  attempts: ReadonlyArray<Attempt>,
  corrections: ReadonlyArray<CorrectionAttempt>
): Promise<Verdict> => {
  const { balances, rows } = await readLedger(client)
  return {
    rows: rows.length,
    charges: rows.filter(isCharge).length,
    balances,
    wrong: {
      ...findWrong(attempts, rows, balances),
      ...wrongCorrections(corrections, rows),
      "a daily limit that was exceeded or miscounted": await wrongDays(client),
      "a day whose sums differ from its entries": await wrongSums(client)
    }
  }
}

/** All rows, and the balance of each account. */
export const readLedger = async (client: Client) => ({
  rows: await ledgerRows(client),
  balances: await accountBalances(client)
})

/** @param rows those of an account together, in the order of their numbers */
export const findWrong = (
  attempts: ReadonlyArray<Attempt>,
  rows: ReadonlyArray<LedgerRow>,
  balances: Readonly<Record<string, number>>
): Wrong => ({ ...wrongAnswers(attempts, rows), ...wrongRows(attempts, rows), ...wrongBalances(balances, rows) })

/** Each balance and the sum of its rows, as they are at one moment; those that differ. */
export const unequalBalances = async (client: Client): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query(`
    SELECT a.organization_id, a.environment, a.balance::float8 AS balance, coalesce(sum(e.amount), 0)::float8 AS sum
    FROM postcode.credit_accounts a LEFT JOIN postcode.ledger_entries e USING (organization_id, environment)
    GROUP BY 1, 2, 3 HAVING a.balance <> coalesce(sum(e.amount), 0) OR a.balance < 0`)
  return rows.map((row) => `${row.organization_id} ${row.environment}: balance ${row.balance}, sum ${row.sum}`)
}

/** Every answer of 200 that charged has one row of that amount; what was repeated was paid once. */
const wrongAnswers = (attempts: ReadonlyArray<Attempt>, rows: ReadonlyArray<LedgerRow>): Wrong => {
  const rowsOf = groupBy(rows, ({ reference }) => reference)
  const missing: Array<string> = []
  const repeated: Array<string> = []
  for (const { charged, request_id, status } of attempts) {
    const own = rowsOf.get(request_id) ?? []
    if (own.length > 1) repeated.push(`${request_id}: ${own.length} rows`)
    if (status === 200 && charged > 0 && own[0]?.amount !== -charged) {
      missing.push(`${request_id}: charged ${charged}, its row says ${own[0]?.amount}`)
    }
    if (refusals.has(status) && own.length > 0) {
      missing.push(`${request_id}: answered ${status}, and charged all the same`)
    }
  }
  const unpaid: Array<string> = []
  const paidTwice: Array<string> = []
  const repeatable = attempts.filter(({ idempotency_key }) => idempotency_key !== undefined)
  for (const [key, group] of groupBy(repeatable, ({ idempotency_key }) => idempotency_key)) {
    const paid = group.flatMap(({ request_id }) => rowsOf.get(request_id) ?? [])
    if (paid.length > 1) paidTwice.push(`${key}: ${paid.length} rows`)
    if (paid.length === 0 && group.some(({ status }) => status === 200)) unpaid.push(`${key}: answered, and never paid`)
  }
  return {
    "an answer without its row": missing,
    "a request with several rows": repeated,
    "an Idempotency-Key that was answered and not paid": unpaid,
    "an Idempotency-Key that was paid twice": paidTwice
  }
}

/** What is answered where nothing was charged, for sure. */
const refusals: ReadonlySet<number> = new Set([401, 402, 403, 429])

const isCharge = (row: LedgerRow): boolean => row.amount < 0 && !isCorrection(row)

/** Every row of a charge names a request that was sent, and takes its price. */
const wrongRows = (attempts: ReadonlyArray<Attempt>, rows: ReadonlyArray<LedgerRow>): Wrong => {
  const sent = new Map(attempts.map((attempt) => [attempt.request_id, attempt]))
  const charges = rows.filter(isCharge)
  const fits = ({ account, amount, reference }: LedgerRow) =>
    sent.get(reference)?.account === account && sent.get(reference)?.price === -amount
  return { "a row without its request": charges.filter((row) => !fits(row)).map((row) => JSON.stringify(row)) }
}

/** Rows are numbered without gaps, each says the balance after it, none below zero, and the last is the balance. */
const wrongBalances = (balances: Readonly<Record<string, number>>, rows: ReadonlyArray<LedgerRow>): Wrong => {
  const broken: Array<string> = []
  for (const [account, own] of groupBy(rows, (row) => row.account)) {
    let balance = 0
    for (const [at, row] of own.entries()) {
      balance += row.amount
      if (row.number !== at + 1 || row.balance_after !== balance || balance < 0) {
        broken.push(`row ${at + 1}: the balance is ${balance}: ${JSON.stringify(row)}`)
      }
    }
    if (balances[account] !== balance) broken.push(`${account}: balance ${balances[account]}, sum ${balance}`)
  }
  return { "a balance that is not the sum of its rows": broken }
}

/**
 * Days on which a limited key, the only one of its account, charged more than its limit, or another sum than is
 * counted.
 */
const wrongDays = async (client: Client): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query(`
    SELECT k.id, e.day::text AS day, e.charged::float8 AS charged, d.charged::float8 AS counted, k.daily_credit_limit
    FROM postcode.api_keys k JOIN (
      SELECT organization_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, -sum(amount) AS charged
      FROM postcode.ledger_entries WHERE key_id IS NOT NULL GROUP BY 1, 2, 3
    ) e USING (organization_id, environment)
    LEFT JOIN postcode.key_days d ON d.organization_id = k.organization_id AND d.chain_id = coalesce(k.chain_id, k.id) AND d.day = e.day
    WHERE k.daily_credit_limit IS NOT NULL AND (e.charged > k.daily_credit_limit OR e.charged IS DISTINCT FROM d.charged)`)
  return rows.map((row) => JSON.stringify(row))
}

/** Days of accounts whose sums, as operators see them, are not those of the ledger. */
const wrongSums = async (client: Client): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query(`
    SELECT organization_id, environment, day::text AS day, s.credits::float8 AS summed, e.credits::float8 AS entered
    FROM (
      SELECT organization_id, environment, day, sum(credits) AS credits
      FROM (
        SELECT organization_id, environment, day, CASE sum WHEN 'charged' THEN -credits ELSE credits END AS credits
        FROM postcode.credit_days
        UNION ALL SELECT organization_id, environment, charged_day, -charged_today FROM postcode.credit_accounts
        WHERE charged_day IS NOT NULL
      ) parts GROUP BY 1, 2, 3
    ) s
    FULL JOIN (
      SELECT organization_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, sum(amount) AS credits
      FROM postcode.ledger_entries GROUP BY 1, 2, 3
    ) e USING (organization_id, environment, day)
    WHERE coalesce(s.credits, 0) <> coalesce(e.credits, 0)`)
  return rows.map((row) => JSON.stringify(row))
}

const ledgerRows = async (client: Client): Promise<ReadonlyArray<LedgerRow>> => {
  const { rows } = await client.query(`
    SELECT id, organization_id || ' ' || environment AS account, number::float8 AS number, amount::float8 AS amount,
      reason, reference, balance_after::float8 AS balance_after
    FROM postcode.ledger_entries ORDER BY organization_id, environment, number`)
  return rows
}

const accountBalances = async (client: Client): Promise<Record<string, number>> => {
  const { rows } = await client.query(`
    SELECT organization_id || ' ' || environment AS account, balance::float8 AS balance FROM postcode.credit_accounts`)
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]))
}
