/** Questions of tests to a database. */
import { layerDatabase } from "@postcode/postgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll } from "vitest"

type Row = Readonly<Record<string, unknown>>

/** Connects when it is first asked, until the tests of the file are over. */
export const queriesOf = (url: string): ((statement: string) => Promise<ReadonlyArray<Row>>) => {
  const runtime = ManagedRuntime.make(layerDatabase({ url: Redacted.make(url), maxConnections: 1 }))
  afterAll(() => runtime.dispose())
  return (statement) => runtime.runPromise(Effect.flatMap(SqlClient, (sql) => sql.unsafe<Row>(statement).unprepared))
}
