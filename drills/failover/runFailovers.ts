/** Failovers under load. Afterwards every answer is compared with the ledger of the primary. */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { type Attempt, runClient, type Scene } from "../kit/Clients.ts"
import { environmentOn } from "../kit/Installation.ts"
import { importForClients, makePayers } from "../kit/Payers.ts"
import { Replica } from "../kit/Replica.ts"
import { until } from "../kit/until.ts"
import { judge } from "../kit/Verdict.ts"
import { Cluster } from "./Cluster.ts"
import { faults } from "./Faults.ts"
import { makeMachines } from "./Machine.ts"
import { runSearches } from "./Searches.ts"

interface FailoverOptions {
  readonly failovers: number
  readonly clients: number
  readonly progress: (message: string) => void
}

export const runFailovers = async (options: FailoverOptions) => {
  const folder = await mkdtemp(join(tmpdir(), "postcode-failover-"))
  const machines = await makeMachines(folder, { n1: 11, n2: 12, n3: 13, proxy: 10 })
  const replicas: Array<Replica> = []
  try {
    options.progress("starting three nodes and HAProxy")
    const cluster = new Cluster(machines)
    await cluster.start()
    options.progress("importing a directory, and starting two replicas of the service")
    const env = environmentOn(cluster.url)
    const postcodes = await importForClients(join(folder, "nigeria"), env)
    for (let i = 0; i < 2; i++) replicas.push(await Replica.start(env))
    const ports = replicas.map(({ port }) => port)
    const payers = await makePayers(ports[0] as number)
    return await underLoad(options, cluster, { ports, payers, postcodes, pause_ms: 20 })
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()))
  }
}

const underLoad = async (options: FailoverOptions, cluster: Cluster, scene: Scene) => {
  const attempts: Array<Attempt> = []
  const abort = new AbortController()
  const clients = Array.from({ length: options.clients }, (_, i) =>
    runClient(`c${i}`, scene, randomNumbers(i), abort.signal, (attempt) => {
      attempts.push(attempt)
    })
  )
  const searching = runSearches({ ...scene, secret: scene.payers[0]?.secret ?? "" }, abort.signal)
  const outages: Array<{ readonly kind: string; readonly outage_ms: number }> = []
  const kinds = Object.keys(faults)
  const stuck: Array<string> = []
  for (let i = 0; i < options.failovers && stuck.length === 0; i++) {
    const kind = kinds[i % kinds.length] as string
    try {
      const outage_ms = await failOver(kind, cluster, attempts)
      outages.push({ kind, outage_ms })
      options.progress(
        `${i + 1} of ${options.failovers}: ${kind}, no paid call for ${(outage_ms / 1_000).toFixed(1)} s`
      )
    } catch (error) {
      stuck.push(`${kind}: ${error}`)
    }
  }
  abort.abort()
  await Promise.all(clients)
  await cluster.untilHealthy()
  const client = await cluster.connect()
  const { charges, wrong } = await judge(client, attempts, [])
  await client.end()
  return {
    outages,
    charged: attempts.filter(isPaid).length,
    rows: charges,
    searches: await searching,
    wrong: { ...wrong, "a failover that got stuck": stuck }
  }
}

export const isPaid = ({ charged, status }: Attempt): boolean => status === 200 && charged > 0

/** Waits until paid calls work, lets something happen to the primary, and waits until all is well again. */
export const failOver = async (kind: string, cluster: Cluster, attempts: ReadonlyArray<Attempt>): Promise<number> => {
  const primary = await cluster.untilHealthy()
  await paidAfter(performance.now() + calm_ms, attempts)
  const start_ms = performance.now()
  const restore = await (faults[kind] as (typeof faults)[string])(primary, cluster)
  await cluster.untilReplaced(primary)
  await paidAfter(performance.now(), attempts)
  const end_ms = performance.now()
  // The former primary stays alone for a moment: what it acknowledges now would be lost.
  await setTimeout(calm_ms)
  await restore()
  return longestPause_ms(attempts, start_ms, end_ms)
}

const calm_ms = 1_000

/** Waits until a paid request that was sent after this moment is answered. */
const paidAfter = (sent_ms: number, attempts: ReadonlyArray<Attempt>): Promise<void> =>
  until("an answer to a paid call", () => attempts.some((attempt) => attempt.sent_ms >= sent_ms && isPaid(attempt)))

const longestPause_ms = (attempts: ReadonlyArray<Attempt>, start_ms: number, end_ms: number): number => {
  const times_ms = attempts
    .filter((attempt) => isPaid(attempt) && attempt.answered_ms > start_ms && attempt.answered_ms < end_ms)
    .map(({ answered_ms }) => answered_ms)
  const moments_ms = [start_ms, ...times_ms.sort((a, b) => a - b), end_ms]
  return Math.max(...moments_ms.slice(1).map((moment_ms, i) => moment_ms - (moments_ms[i] as number)))
}
