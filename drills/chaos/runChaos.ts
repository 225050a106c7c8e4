/**
 * Chaos: replicas on one PostgreSQL, many clients that pay, operators who correct balances and suspend organizations, and
 * `kill -9` of replicas, backends and the postmaster. Afterwards every answer is held against the ledger.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { type Attempt, lookUpOnce, type Payer, runClient, type Scene } from "../kit/Clients.ts"
import { groupBy } from "../kit/groupBy.ts"
import { environmentOn } from "../kit/Installation.ts"
import { importForClients, makePayers } from "../kit/Payers.ts"
import { type PostgresServer, requirePostgres, startPostgres } from "../kit/postgres/index.ts"
import { Replica } from "../kit/Replica.ts"
import { judge, unequalBalances } from "../kit/Verdict.ts"
import type { ChaosOptions, ChaosReport, FaultKind } from "./ChaosOptions.ts"
import { type CorrectionAttempt, runOperator } from "./Corrections.ts"
import { runFaults } from "./Faults.ts"
import { runSuspensions, type Suspension, wrongSuspensions } from "./Suspensions.ts"

export const runChaos = async (options: ChaosOptions): Promise<ChaosReport> => {
  // Apart, as the server may run as another user.
  const [folder, serverFolder] = await Promise.all([makeFolder(), makeFolder()])
  let server: PostgresServer | undefined
  const replicas: Array<Replica> = []
  try {
    options.progress("starting PostgreSQL, and importing a directory")
    server = await startPostgres({ folder: serverFolder, programs: requirePostgres() })
    const env = environmentOn(server.url("postgres"))
    const postcodes = await importForClients(join(folder, "nigeria"), env)
    options.progress(`starting ${options.replicas} replicas`)
    const started = await Promise.allSettled(Array.from({ length: options.replicas }, () => Replica.start(env)))
    for (const start of started) if (start.status === "fulfilled") replicas.push(start.value)
    for (const start of started) if (start.status === "rejected") throw start.reason
    const ports = replicas.map(({ port }) => port)
    const payers = await makePayers(ports[0] as number)
    return await storm(options, { server, replicas }, { ports, payers, postcodes })
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()))
    await server?.stop()
    await Promise.all([folder, serverFolder].map((path) => rm(path, { recursive: true, force: true })))
  }
}

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "postcode-chaos-"))

const storm = async (
  { clients, duration_ms, enough, progress, seed }: ChaosOptions,
  victims: { readonly server: PostgresServer; readonly replicas: ReadonlyArray<Replica> },
  scene: Scene
): Promise<ChaosReport> => {
  const attempts: Array<Attempt> = []
  const record = (attempt: Attempt): void => void attempts.push(attempt)
  const corrections: Array<CorrectionAttempt> = []
  const suspensions: Array<Suspension> = []
  const faults: Record<FaultKind, number> = { replica: 0, backend: 0, postmaster: 0 }
  const abort = new AbortController()
  progress(`${clients} clients and faults for ${duration_ms / 1000} s, seed ${seed}`)
  const watched: Watched = { reads: 0, unequal: [] }
  const watching = watchBalances(victims.server, abort.signal, watched)
  const running = Promise.all([
    ...Array.from({ length: clients }, (_, i) =>
      runClient(`c${i}`, scene, randomNumbers(seed * 1_000 + i), abort.signal, record)
    ),
    ...Array.from({ length: operators }, (_, i) =>
      runOperator(`o${i}`, scene, randomNumbers(seed * 1_000 + clients + i), abort.signal, (attempt) => {
        corrections.push(attempt)
      })
    ),
    // All but the small account, which has to run dry.
    runSuspensions(
      victims.server,
      { ...scene, payers: scene.payers.slice(0, -1) },
      randomNumbers(seed * 1_000 + clients + operators),
      abort.signal,
      (suspension) => {
        suspensions.push(suspension)
      }
    ),
    runFaults(victims, randomNumbers(seed), abort.signal, (kind) => {
      faults[kind]++
    })
  ])
  const missing = (): ReadonlyArray<string> =>
    Object.entries({
      "faults of each kind": Object.values(faults).every((count) => count > 0),
      "reads of balances": watched.reads > enough.reads,
      "answers of 429": attempts.filter(({ status }) => status === 429).length >= enough.limited,
      "answers of 403": attempts.some(({ status }) => status === 403),
      corrections: corrections.filter(({ status }) => status === 201).length > enough.corrections,
      suspensions: suspensions.length > enough.suspensions,
      charges: attempts.filter(isCharged).length > enough.charges
    }).flatMap(([what, isEnough]) => (isEnough ? [] : [what]))
  const untilEnough = async (): Promise<void> => {
    await setTimeout(duration_ms)
    // A busy machine goes on until there is something to judge.
    const giveUp_ms = performance.now() + longestExtension_ms
    while (missing().length > 0) {
      if (performance.now() > giveUp_ms) throw new Error(`too few after ${attempts.length} attempts: ${missing()}`)
      await setTimeout(500)
    }
  }
  // Of the two only the first ends before the signal, unless a client or an operator fails.
  await Promise.race([untilEnough(), running]).finally(() => abort.abort())
  await running
  await watching
  progress("everything runs again; spending what is left of the small account")
  const payer = scene.payers.at(-1) as Payer
  await spendTheRest(scene, payer, record)
  const client = await victims.server.connect()
  const { balances, rows, wrong } = await judge(client, attempts, corrections)
  await client.end()
  const left = balances[payer.account]
  return {
    attempts: attempts.length,
    answers: countByStatus(attempts),
    charged: attempts.filter(isCharged).length,
    corrections: countByStatus(corrections),
    suspensions: suspensions.length,
    ledgerRows: rows,
    faults,
    balanceReads: watched.reads,
    finalBalances: balances,
    wrong: {
      ...wrong,
      ...wrongSuspensions(suspensions, attempts),
      "a balance that differed from its sum meanwhile": watched.unequal,
      "an account that did not run dry at 0": left === 0 ? [] : [`${payer.account}: ${left}`]
    }
  }
}

/** Operators who make corrections meanwhile. */
const operators = 4

const longestExtension_ms = 300_000

const countByStatus = (attempts: ReadonlyArray<{ readonly status: number }>): Readonly<Record<number, number>> =>
  Object.fromEntries([...groupBy(attempts, ({ status }) => status)].map(([status, own]) => [status, own.length]))

const isCharged = ({ charged, status }: Attempt): boolean => status === 200 && charged > 0

/** Goes on, several at a time, until the answer is 402; what is lost or 503 on the way is asked again. */
const spendTheRest = async (scene: Scene, payer: Payer, record: (attempt: Attempt) => void): Promise<void> => {
  let asked = 0
  const spend = async (): Promise<void> => {
    while (asked++ < 2_000) {
      const status = await lookUpOnce(`rest-${asked}`, scene, payer, record)
      if (status === 402) return
      if (status !== 200) await setTimeout(100)
    }
  }
  await Promise.all(Array.from({ length: 10 }, spend))
}

interface Watched {
  /** How often balances were compared. */
  reads: number
  readonly unequal: Array<string>
}

/** Compares balances with the sums of their rows, as often as the database lets it. */
const watchBalances = async (server: PostgresServer, signal: AbortSignal, watched: Watched): Promise<void> => {
  while (!signal.aborted) {
    try {
      const client = await server.connect()
      watched.unequal.push(...(await unequalBalances(client)))
      await client.end()
      watched.reads++
    } catch {
      // The database is down, as expected after a kill.
    }
    await setTimeout(200)
  }
}
