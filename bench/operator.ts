/**
 * What an operator's screens call, on an instance with many organizations: lists and searches of organizations, usage,
 * credits by day and the audit log. bench/README.md explains each figure.
 */
import { type AuditFilter, AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { OrganizationFilter } from "@postcode/gateway/organizations/Organization"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { UsageLog, type UsageQuery } from "@postcode/gateway/usage/UsageLog"
import { PostgresStore } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { layerSecrets } from "./credits/secrets.ts"
import { fillInstance, type Instance } from "./operator/fillInstance.ts"
import { startDatabase } from "./setUp/startDatabase.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface OperatorBenchSettings {
  /** The number of organizations, unless `--organizations` sets it. */
  readonly organizations: number
  /** Calls of each kind, after the first one. */
  readonly calls: number
}

export const operatorBench = (settings: Partial<OperatorBenchSettings> = {}): Bench =>
  async function* (options) {
    const { calls, organizations }: OperatorBenchSettings = { organizations: 10_000, calls: 300, ...settings }
    yield* inTemporaryFolder(async function* (folder, signal) {
      const server = await startDatabase(folder, { shared_buffers: "512MB", maintenance_work_mem: "256MB" })
      signal.addEventListener("abort", () => void server.stop())
      try {
        const url = server.url("postgres")
        const instance = await fillInstance(url, options.organizations ?? organizations, options.progress)
        for (const call of callsOf(instance)) {
          options.progress(call.name)
          yield* figuresOf(call, await timesOf(url, call, calls))
        }
      } finally {
        await server.stop()
      }
    })
  }

type Ports = AuditLog | CreditLedger | Organizations | UsageLog

/** A call of a screen. */
interface Call {
  readonly name: string
  /** The goal for 99 % of the calls. */
  readonly goal_ms: number
  /** The number of results. */
  readonly run: Effect.Effect<number, unknown, Ports>
  /** The expected number of results. */
  readonly results: number
}

const callsOf = (instance: Instance): ReadonlyArray<Call> => [
  ...lists(instance),
  ...usageReports(instance),
  ...creditReports(instance),
  ...auditLogs(instance)
]

const page = { limit: 50, cursor: undefined }
const list_ms = 5
const report_ms = 20

const lists = ({ organizations, rare }: Instance): ReadonlyArray<Call> => {
  const call = (name: string, filter: OrganizationFilter, results: number): Call => ({
    name,
    goal_ms: list_ms,
    run: Effect.flatMap(Organizations, ({ list }) => Effect.map(list(filter, page), ({ items }) => items.length)),
    results
  })
  return [
    call("list of organizations", {}, 50),
    call("list of suspended ones", { status: "suspended" }, Math.min(50, organizations / 100)),
    call("search for a word in every second name", { name: "limited" }, 50),
    call("search for a word in one name of 200", { name: "zungeru" }, Math.min(50, organizations / 200)),
    call("search for the name of one", { name: rare }, 1),
    call("search for two letters of one", { name: rare.slice(0, 2) }, 1),
    call("search for what no name has", { name: "xyzzy" }, 0)
  ]
}

const usageReports = ({ busy, from, to, usual }: Instance): ReadonlyArray<Call> => {
  const common = { environment: "live", to, key_id: undefined, limit: 50_001 } as const
  const call = (name: string, query: Pick<UsageQuery, "by" | "from" | "organization_id">, results: number): Call => ({
    name,
    goal_ms: report_ms,
    run: Effect.flatMap(UsageLog, ({ daily }) => Effect.map(daily({ ...common, ...query }), ({ length }) => length)),
    results
  })
  const { month, year } = from
  return [
    call("usage of a usual one, 30 days", { organization_id: usual, by: "operation", from: month }, 90),
    call("usage of the busiest, 30 days", { organization_id: busy, by: "operation", from: month }, 300),
    call("usage of the busiest by status, 366 days", { organization_id: busy, by: "status", from: year }, 200)
  ]
}

const creditReports = ({ from, to }: Instance): ReadonlyArray<Call> => {
  const call = (name: string, first: string, results: number): Call => ({
    name,
    goal_ms: report_ms,
    run: Effect.flatMap(CreditLedger, (ledger) =>
      Effect.map(ledger.days("live", { from: first, to }), ({ length }) => length)
    ),
    results
  })
  return [
    call("credits of all by day, 30 days", from.month, 30),
    call("credits of all by day, 366 days", from.year, 100)
  ]
}

const auditLogs = ({ actor, subject, usual }: Instance): ReadonlyArray<Call> => {
  const call = (name: string, filter: AuditFilter, results: number): Call => ({
    name,
    goal_ms: report_ms,
    run: Effect.flatMap(AuditLog, ({ list }) => Effect.map(list(filter, page), ({ items }) => items.length)),
    results
  })
  return [
    call("audit log", {}, 50),
    call("audit log of an organization", { organization_id: usual }, 5),
    call("audit log of an actor", { actor }, 50),
    call("audit log of a subject", { subject }, 1)
  ]
}

interface Times {
  readonly first_ms: number
  /** Ascending. */
  readonly others_ms: ReadonlyArray<number>
}

/** The first call after opening the store, and those after it, one after the other. */
const timesOf = (url: string, { name, results, run }: Call, calls: number): Promise<Times> =>
  Effect.gen(function* () {
    const timed = Effect.gen(function* () {
      const start_ms = performance.now()
      const found = yield* run
      if (found !== results) return yield* Effect.die(new Error(`${name}: ${found} results instead of ${results}`))
      return performance.now() - start_ms
    })
    const first_ms = yield* timed
    const others = yield* Effect.replicateEffect(timed, calls)
    return { first_ms, others_ms: others.toSorted((a, b) => a - b) }
  }).pipe(
    Effect.provide(Layer.provide(PostgresStore.layer({ url: Redacted.make(url) }), layerSecrets)),
    Effect.runPromise
  )

function* figuresOf({ goal_ms, name }: Call, { first_ms, others_ms }: Times): Generator<Figure> {
  const figure = (kind: string, value: number) =>
    compared("less", {
      bench: "operator",
      figure: `${name}, ${kind}`,
      value,
      unit: "ms",
      peer: "the goal",
      peer_value: goal_ms
    })
  yield figure("first call", first_ms)
  yield figure("99 % within", others_ms[Math.ceil(others_ms.length * 0.99) - 1] as number)
  yield figure("maximum", others_ms.at(-1) as number)
}
