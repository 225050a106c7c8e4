/** Kills replicas, backends and the postmaster, one after the other, as `kill -9` does, and starts them again. */
import { setTimeout } from "node:timers/promises"
import type { RandomNumbers } from "../../test/RandomNumbers.ts"
import type { PostgresServer } from "../kit/postgres/index.ts"
import type { Replica } from "../kit/Replica.ts"
import type { FaultKind } from "./ChaosOptions.ts"

export interface Victims {
  readonly replicas: ReadonlyArray<Replica>
  readonly server: PostgresServer
}

/** Goes on until it is told to stop; in the end everything runs again. */
export const runFaults = async (
  { replicas, server }: Victims,
  random: RandomNumbers,
  signal: AbortSignal,
  record: (kind: FaultKind) => void
): Promise<void> => {
  let round: Array<FaultKind> = []
  const starting = new Map<Replica, Promise<void>>()
  while (!signal.aborted) {
    await setTimeout(shortestPause_ms + (longestPause_ms - shortestPause_ms) * random())
    if (round.length === 0) round = shuffled(kinds, random)
    const kind = round.pop() as FaultKind
    if (kind === "replica") {
      const replica = replicas[Math.floor(random() * replicas.length)] as Replica
      await starting.get(replica)
      await replica.kill()
      const started = startAgain(replica)
      // How it ended is asked about later; other faults may come while it starts.
      started.catch(() => {})
      starting.set(replica, started)
    } else if (kind === "backend") {
      await killBackend(server, random)
    } else {
      await server.kill()
      await setTimeout(500 * random())
      await server.start()
    }
    record(kind)
  }
  await Promise.all(starting.values())
}

/** As systemd does: a replica ends if its database is lost while it loads the directory. */
const startAgain = async (replica: Replica): Promise<void> => {
  for (;;) {
    try {
      return await replica.run()
    } catch (error) {
      if (!/the database .*cannot be used/.test(String(error))) throw error
    }
  }
}

const shortestPause_ms = 300
const longestPause_ms = 1_500

/** One round of faults. */
const kinds: ReadonlyArray<FaultKind> = ["replica", "replica", "backend", "backend", "postmaster"]

export const shuffled = <A>(items: ReadonlyArray<A>, random: RandomNumbers): Array<A> =>
  items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)

/** Kills one of the processes that work for a replica; PostgreSQL then ends all others and recovers. */
export const killBackend = async (server: PostgresServer, random: RandomNumbers): Promise<void> => {
  const pids = await backends(server)
  const pid = pids[Math.floor(random() * pids.length)]
  if (pid === undefined) return
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It ended by itself in between.
  }
}

const backends = async (server: PostgresServer): Promise<ReadonlyArray<number>> => {
  try {
    const client = await server.connect()
    const { rows } = await client.query(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'postcode-gateway' ORDER BY pid"
    )
    await client.end()
    return rows.map(({ pid }) => pid)
  } catch {
    // The server is still recovering from the fault before.
    return []
  }
}
