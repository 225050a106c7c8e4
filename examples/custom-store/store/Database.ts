/** One SQLite file, and the ways in which the ports read and write it. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { Unavailable } from "@postcode/gateway/Errors"
import { Context, Effect, Exit, Layer } from "effect"
import { schema } from "./schema.ts"

export type Row = Readonly<Record<string, unknown>>
type Parameters = ReadonlyArray<SQLInputValue>

export class Database extends Context.Service<
  Database,
  {
    /**
     * Runs work as one step: all that it writes is kept, on the disk, or nothing of it, if it fails or throws. Steps
     * within a step belong to it. Nothing comes in between, for there is one thread and the work does not wait.
     */
    readonly step: <A, E>(work: () => Exit.Exit<A, E>) => Effect.Effect<A, E | Unavailable>
    /** Does something outside of the database once the outermost step is kept, at once if there is none. */
    readonly afterwards: (action: () => void) => void
    /** For use within a step. */
    readonly get: (sql: string, ...parameters: Parameters) => Row | undefined
    readonly iterate: (sql: string, ...parameters: Parameters) => Iterable<Row>
    readonly run: (sql: string, ...parameters: Parameters) => void
  }
>()("example/Database") {}

/** Opens a file, `:memory:` for none. Fails if it is no such database, or another process has it. */
export const layerDatabase = (file: string): Layer.Layer<Database> =>
  Layer.effect(
    Database,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => openDatabase(file)),
        (db) => Effect.sync(() => db.close())
      ),
      makeDatabase
    )
  )

const openDatabase = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file)
  // Some of the ports are in memory, so two processes would not see the same.
  db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  db.exec(schema)
  return db
}

const makeDatabase = (db: DatabaseSync): Database["Service"] => {
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  let actions: Array<() => void> = []
  const undo = (): void => {
    // What a full disk interrupts may be undone already, as a whole.
    if (db.isTransaction) db.exec("ROLLBACK TO step; RELEASE step")
  }
  const step = <A, E>(work: () => Exit.Exit<A, E>): Exit.Exit<A, E | Unavailable> => {
    const before = actions.length
    try {
      db.exec("SAVEPOINT step")
      const exit = work()
      if (Exit.isSuccess(exit)) db.exec("RELEASE step")
      else undo()
      if (Exit.isFailure(exit)) actions.length = before
      return exit
    } catch (error) {
      undo()
      actions.length = before
      return isOutOfReach(error) ? Exit.fail(new Unavailable({ retry_after_s: 5 })) : Exit.die(error)
    } finally {
      if (!db.isTransaction) {
        const due = actions
        actions = []
        for (const action of due) action()
      }
    }
  }

  return {
    step: (work) => Effect.suspend(() => step(work)),
    afterwards: (action) => {
      if (db.isTransaction) actions.push(action)
      else action()
    },
    get: (sql, ...parameters) => prepared(sql).get(...parameters),
    iterate: (sql, ...parameters) => prepared(sql).iterate(...parameters),
    run: (sql, ...parameters) => void prepared(sql).run(...parameters)
  }
}

/**
 * Whether it is the disk or another process, and no mistake of the program: SQLITE_BUSY, READONLY, IOERR, FULL,
 * CANTOPEN.
 */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof Error &&
  "errcode" in error &&
  typeof error.errcode === "number" &&
  [5, 8, 10, 13, 14].includes(error.errcode & 0xff)
