/** pgbench debits of one account in batches of one size and without any check: the limit of the database. */
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { findPostgres } from "@postcode/drills/postgres"
import { isExecutable } from "../setUp/isExecutable.ts"
import type { Account } from "./accounts.ts"

export interface PgbenchOptions {
  readonly program: string
  readonly url: string
  /** The folder for its script. */
  readonly folder: string
  readonly account: Account
  /** Debits per transaction. */
  readonly batch: number
  readonly duration_s: number
}

/** The path of pgbench: on PATH, or in PostgreSQL's folders; undefined if it is not installed. */
export const findPgbench = (): string | undefined => {
  const server = findPostgres()
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...(server === undefined ? [] : [server])]
  return folders.map((folder) => join(folder, "pgbench")).find(isExecutable)
}

/** `pgbench 15.14` */
export const versionOf = async (program: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, ["--version"])
  return `pgbench ${/\d+(\.\d+)?/.exec(stdout)?.[0] ?? ""}`
}

/** Debits of 1 credit per second. The number of clients keeps the account's lock busy. */
export const debitsPerSecond = async (options: PgbenchOptions): Promise<number> => {
  const { batch, duration_s, folder, program, url } = options
  const script = join(folder, "charge.sql")
  writeFileSync(script, charge(options))
  const flags = [
    "--no-vacuum",
    `--client=${clients}`,
    "--protocol=prepared",
    `--time=${duration_s}`,
    `--file=${script}`
  ]
  const { stdout } = await promisify(execFile)(program, [...flags, url])
  const transactions_s = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
  if (transactions_s === undefined) throw new Error(`pgbench did not say how fast it was: ${stdout}`)
  return Number(transactions_s) * batch
}

const clients = 3

/** On one line, as pgbench requires. */
const charge = ({ account: { key_id, organization_id }, batch }: PgbenchOptions): string =>
  `WITH account AS (
      UPDATE postcode.credit_accounts
      SET balance = balance - ${batch}, entries = entries + ${batch}, revision = revision + 1
      WHERE organization_id = '${organization_id}' AND environment = 'test' RETURNING balance, entries
    )
    INSERT INTO postcode.ledger_entries
      (organization_id, environment, number, id, amount, reason, reference, key_id, level, balance_after, created_at)
    SELECT '${organization_id}', 'test', entries - ${batch} + n, 'ent_' || gen_random_uuid(), -1, 'lookup', 'pgbench',
      '${key_id}', 2, balance + ${batch} - n, statement_timestamp()
    FROM account, generate_series(1, ${batch}) AS n;`.replaceAll("\n", " ")
