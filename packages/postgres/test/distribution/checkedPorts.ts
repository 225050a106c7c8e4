/** Ports whose statements are checked while the suites run, for the day on which organizations are spread over databases. */
import { PgClient } from "@effect/sql-pg"
import { Transactions } from "@postcode/gateway/store/Transactions"
import { Context, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CurrentTransformer, type Transformer } from "effect/sql/Statement"
import { acrossOrganizations } from "./acrossOrganizations.ts"
import { namesOne, type ReadStatement, readStatement } from "./readStatement.ts"

/** The same ports, whose statements are checked, also those in the background. Those of a test itself are not. */
export const checkedPorts = <A, E, R>(ports: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.unwrap(
    Effect.sync(() => {
      const faults: Array<Error> = []
      const check = reportTo(faults)
      const checked = Effect.map(Layer.build(ports), (context) =>
        Context.makeUnsafe<A>(
          new Map(
            [...context.mapUnsafe].map(([name, service]) => [
              name,
              uncheckedKeys.has(name) ? service : checkedPort(service, check)
            ])
          )
        )
      )
      // A background fiber may only log its failure: the first fault also fails the test, when the ports are closed.
      return Layer.effectContext(
        Effect.andThen(
          Effect.addFinalizer(() => dieOf(faults)),
          checked
        )
      ).pipe(Layer.provide(Layer.succeed(CurrentTransformer, check))) as Layer.Layer<A, E, R>
    })
  )

/** Runs work of the package itself, such as maintenance, and dies of a fault even if the work only logs it. */
export const checkedStatements = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const faults: Array<Error> = []
    return Effect.ensuring(Effect.provideService(work, CurrentTransformer, reportTo(faults)), dieOf(faults))
  })

/** Through these, a test runs its own statements. */
const uncheckedKeys: ReadonlySet<string> = new Set([SqlClient.SqlClient.key, PgClient.PgClient.key, Transactions.key])

const checkedPort = (port: object, check: Transformer): object => {
  const checkedResult = (result: unknown): unknown =>
    Effect.isEffect(result) && !Exit.isExit(result)
      ? Effect.provideService(result as Effect.Effect<unknown>, CurrentTransformer, check)
      : result
  const methods = Object.entries(port).map(([name, value]) => [
    name,
    typeof value === "function"
      ? (...parameters: ReadonlyArray<unknown>) => checkedResult(value(...parameters))
      : checkedResult(value)
  ])
  return Object.assign(Object.create(Object.getPrototypeOf(port)), port, Object.fromEntries(methods))
}

const dieOf = (faults: ReadonlyArray<Error>): Effect.Effect<void> =>
  Effect.suspend(() => (faults.length === 0 ? Effect.void : Effect.die(faults[0])))

const reportTo =
  (faults: Array<Error>): Transformer =>
  (statement) => {
    const [text, parameters] = statement.compile()
    const fault = faultOf(text, parameters)
    if (fault === undefined) return Effect.succeed(statement)
    const error = new Error(`${fault}:\n${text}`)
    faults.push(error)
    return Effect.die(error)
  }

const known = new Map<string, ReadStatement>()

/** What is wrong with a statement; undefined if it could run on a database that is spread by organization. */
export const faultOf = (text: string, parameters: ReadonlyArray<unknown>): string | undefined => {
  if (!/^\s*(DELETE|INSERT|SELECT|UPDATE|WITH)\b/i.test(text)) return undefined
  let statement = known.get(text)
  if (statement === undefined) {
    statement = readStatement(text)
    known.set(text, statement)
  }
  if (statement.uses.length === 0) return undefined
  if (statement.localTables.length > 0)
    return `it joins ${statement.localTables.join(" and ")} to tables of organizations`
  if (namesOne(statement, parameters)) return undefined
  const listed = acrossOrganizations.find(({ includes }) => oneSpaced(text).includes(includes))
  if (listed === undefined) return "it does not name one organization, and acrossOrganizations.ts has no reason for it"
  if (listed.isOptional === true || statement.demands.length === 0) return undefined
  return `it does not name one organization, but has ${statement.demands.join(" and ")}`
}

export const oneSpaced = (text: string): string => text.replaceAll(/\s+/g, " ").trim()
