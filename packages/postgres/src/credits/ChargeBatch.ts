/** Charges as statements take them. */
import type { PgTypes } from "@effect/sql-pg"
import type { Charge } from "@postcode/core/credits/CreditLedger"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { columnOf } from "../connection/SqlArrays.ts"

/** A charge, and the id of the entry that it is to be. */
export interface IdentifiedCharge {
  readonly id: string
  readonly charge: Charge
}

/** Charges of one account, in the order of their arrival. */
export type ChargeBatch = ReadonlyArray<IdentifiedCharge>

/** How a statement names the accounts of its batches. */
export interface AccountNames {
  /** Whether they are columns of `w`; otherwise they are parameters, which name the one account. */
  readonly areColumns: boolean
  readonly organization: Fragment
  readonly environment: Fragment
}

/** One account is named by parameters, so that a database that is spread by organization asks one machine. */
export const namesOf = (sql: SqlClient, batches: ReadonlyArray<ChargeBatch>): AccountNames => {
  const [batch] = batches
  const account = batch?.[0]?.charge
  return batches.length === 1 && account !== undefined
    ? {
        areColumns: false,
        organization: sql`${account.organization_id}::text`,
        environment: sql`${account.environment}::text`
      }
    : { areColumns: true, organization: sql.literal("w.organization_id"), environment: sql.literal("w.environment") }
}

/**
 * A column of rows as an argument of `unnest`. In a query of its own its length is hidden from the planner, which would
 * otherwise make a new plan for each execution.
 */
export const columnIn =
  <Row>(sql: SqlClient, rows: ReadonlyArray<Row>) =>
  (type: (typeof PgTypes.OID)[keyof typeof PgTypes.OID], fieldOf: (row: Row) => unknown): Fragment =>
    sql`(SELECT ${columnOf(type, rows, fieldOf)})`
