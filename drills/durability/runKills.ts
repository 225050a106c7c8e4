/** `kill -9` of a service on a data folder, of its PostgreSQL, and of both, at random moments while clients pay. */
import { setTimeout } from "node:timers/promises"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import type { DataFolder } from "../kit/DataFolders.ts"
import { dataFolder } from "../kit/DataFolders.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import { type DataScene, judgeFolder, makeScene, settings, untilCharged, untilChargedSince } from "./DataScene.ts"

export interface KillsOptions {
  readonly kills: number
  readonly seed: number
  readonly progress: (message: string) => void
}

export type Killed = "PostgreSQL" | "the service" | "the service while it starts" | "the service and PostgreSQL"

export interface KillsReport {
  /** The times from each kill of a kind until the service answered again. */
  readonly down_ms: Readonly<Record<Killed, ReadonlyArray<number>>>
  readonly attempts: number
  readonly charged: number
  readonly wrong: Wrong
}

export const runKills = async ({ kills, progress, seed }: KillsOptions): Promise<KillsReport> => {
  await using data = await dataFolder()
  const random = randomNumbers(seed)
  const down_ms: Record<Killed, Array<number>> = {
    "the service": [],
    "the service while it starts": [],
    "the service and PostgreSQL": [],
    PostgreSQL: []
  }
  const scene = await makeScene({ ...settings, POSTCODE_DATA: data.path }, clients, seed)
  try {
    await untilCharged(scene, 50)
    for (let i = 0; i < kills; i++) {
      const kind = kinds[i % kinds.length] as Killed
      await setTimeout(longestPause_ms * random())
      const killed_ms = performance.now()
      const dead_ms = await kill(kind, data, scene, random)
      await untilChargedSince(scene, dead_ms)
      down_ms[kind].push(performance.now() - killed_ms)
      progress(`${i + 1} of ${kills}: ${kind}, back after ${Math.round(down_ms[kind].at(-1) as number)} ms`)
    }
    await untilCharged(scene, 50)
    await scene.calm()
    const wrong = await judgeFolder(data.path, scene.attempts)
    return { down_ms, attempts: scene.attempts.length, charged: scene.charged(), wrong }
  } finally {
    await scene.calm()
    await scene.service.stop()
  }
}

const clients = 16
const longestPause_ms = 1_500
const kinds: ReadonlyArray<Killed> = [
  "the service",
  "the service",
  "the service and PostgreSQL",
  "the service while it starts",
  "PostgreSQL"
]

/** Kills, and starts again what does not start by itself. Returns when everything of before was dead. */
const kill = async (kind: Killed, data: DataFolder, { service }: DataScene, random: () => number): Promise<number> => {
  if (kind !== "PostgreSQL") await service.kill()
  if (kind === "PostgreSQL" || kind === "the service and PostgreSQL") {
    const postmaster = await data.postmaster()
    if (postmaster !== undefined) process.kill(postmaster, "SIGKILL")
  }
  const dead_ms = performance.now()
  if (kind === "the service while it starts") {
    const started = service.run().catch(() => {})
    await setTimeout(longestStart_ms * random())
    await service.kill()
    await started
  }
  if (kind !== "PostgreSQL") await service.run()
  return dead_ms
}

const longestStart_ms = 1_000
