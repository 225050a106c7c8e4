/** Kills what changes, stores and shows the directory as `kill -9` does, and starts it again, while changes go on. */
import { setTimeout } from "node:timers/promises"
import type { RandomNumbers } from "../../test/RandomNumbers.ts"
import { killBackend, shuffled } from "../chaos/Faults.ts"
import type { PostgresServer } from "../kit/postgres/index.ts"
import type { Replica } from "../kit/Replica.ts"
import type { FaultKind } from "./LivingOptions.ts"
import type { PosterProcess } from "./PosterProcess.ts"

export interface Victims {
  readonly server: PostgresServer
  readonly replicas: ReadonlyArray<Replica>
  readonly poster: PosterProcess
}

/** Kills so often, each kind in turn; in the end everything runs again. Returns the number of kills of each kind. */
export const runFaults = async (
  victims: Victims,
  kills: number,
  random: RandomNumbers,
  progress: (message: string) => void
): Promise<Readonly<Record<FaultKind, number>>> => {
  const counts: Record<FaultKind, number> = { replica: 0, backend: 0, postmaster: 0, poster: 0, everything: 0 }
  const starting = new Map<Replica, Promise<void>>()
  let round: Array<FaultKind> = []
  for (let kill = 0; kill < kills; kill++) {
    await setTimeout(minPause_ms + (maxPause_ms - minPause_ms) * random())
    if (round.length === 0) round = shuffled(kinds, random)
    const kind = round.pop() as FaultKind
    progress(`kill ${kill + 1} of ${kills}: ${kind}`)
    await killOne(kind, victims, starting, random)
    counts[kind]++
  }
  await Promise.all(starting.values())
  return counts
}

const minPause_ms = 300
const maxPause_ms = 3_000

/** One round of faults. */
const kinds: ReadonlyArray<FaultKind> = [
  "replica",
  "replica",
  "backend",
  "postmaster",
  "poster",
  "poster",
  "everything"
]

const killOne = async (
  kind: FaultKind,
  { poster, replicas, server }: Victims,
  starting: Map<Replica, Promise<void>>,
  random: RandomNumbers
): Promise<void> => {
  const restart = (replica: Replica) => {
    const started = replica.run()
    // A failure is thrown later, where it is awaited; other faults may come while it starts.
    started.catch(() => {})
    starting.set(replica, started)
  }
  switch (kind) {
    case "replica": {
      const replica = replicas[Math.floor(random() * replicas.length)] as Replica
      await starting.get(replica)
      await replica.kill()
      return restart(replica)
    }
    case "backend":
      return await killBackend(server, random)
    case "poster":
      await poster.kill()
      return await poster.run()
    case "postmaster":
      await server.kill()
      await setTimeout(500 * random())
      return await server.start()
    case "everything":
      await Promise.all(starting.values())
      await Promise.all([poster.kill(), server.kill(), ...replicas.map((replica) => replica.kill())])
      await server.start()
      for (const replica of replicas) restart(replica)
      return await poster.run()
  }
}
