/** Batches of charges as parameters of statements. */
import type { PgTypes } from "@effect/sql-pg"
import type { Charge } from "@postcode/core/Credits"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { columnOf } from "../connection/SqlArrays.ts"

/** A charge and the id of its future entry. */
export interface IdentifiedCharge {
  readonly id: string
  readonly charge: Charge
}

/** Charges of one account, in order of arrival. */
export type ChargeBatch = ReadonlyArray<IdentifiedCharge>

/** SQL for the accounts of the batches. */
export interface AccountNames {
  /** Whether they are columns of `w`; otherwise they are parameters for a single account. */
  readonly areColumns: boolean
  readonly organization: Fragment
  readonly environment: Fragment
}

/** A single account is named by parameters, so that a database sharded by organization uses one shard. */
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
 * A column of rows as an argument of `unnest`. The subquery hides its length from the planner, which would otherwise
 * plan each execution anew.
 */
export const columnIn =
  <Row>(sql: SqlClient, rows: ReadonlyArray<Row>) =>
  (type: (typeof PgTypes.OID)[keyof typeof PgTypes.OID], fieldOf: (row: Row) => unknown): Fragment =>
    sql`(SELECT ${columnOf(type, rows, fieldOf)})`
