/** A service on a data folder whose disk is full, under load, and after there is space again. */
import { setTimeout } from "node:timers/promises"
import type { Wrong } from "../kit/LedgerRow.ts"
import { connectToFolder } from "../kit/postgres/index.ts"
import { until } from "../kit/until.ts"
import { type DataScene, judgeFolder, makeScene, settings, untilCharged } from "./DataScene.ts"
import { makeSmallDisk, type SmallDisk } from "./SmallDisk.ts"

export interface FullDiskReport {
  /** Answers of 503 meanwhile. */
  readonly refused: number
  /** Whether searches were answered while nothing could be stored. */
  readonly searched: boolean
  /** What the service reported of it. */
  readonly reported: string
  /** The error of a start while the disk is full. */
  readonly startError: string
  /** From the moment that there was space again to the first charge. */
  readonly recovered_ms: number
  readonly charged: number
  readonly wrong: Wrong
}

export const runFullDisk = async (seed: number, progress: (message: string) => void): Promise<FullDiskReport> => {
  await using disk = await makeSmallDisk(disk_mb)
  const scene = await makeScene({ ...settings, POSTCODE_DATA: disk.path }, 16, seed)
  const { attempts, service } = scene
  try {
    await untilCharged(scene, 50)
    progress("filling the disk")
    await untilFull(scene, disk)
    await until("an answer of 503", () => attempts.some(({ status }) => status === 503))
    const reported = /[^"]*no space is left for[^"]*/.exec(service.log)?.[0] ?? ""
    const search = await fetch(`http://127.0.0.1:${service.port}/v1/search/autocomplete?q=LA`)
    progress("killing the service, and starting it on the full disk")
    await service.kill()
    const startError = await service.run().then(
      () => "it started",
      ({ message }: Error) => /^error: .*$/m.exec(message)?.[0] ?? message
    )
    progress("freeing the space")
    await disk.empty()
    const freed_ms = performance.now()
    await service.run()
    await untilCharged(scene, 1)
    const recovered_ms = performance.now() - freed_ms
    await untilCharged(scene, 50)
    await scene.calm()
    return {
      refused: attempts.filter(({ status }) => status === 503).length,
      searched: search.status === 200,
      reported,
      startError,
      recovered_ms,
      charged: scene.charged(),
      wrong: await judgeFolder(disk.path, attempts)
    }
  } finally {
    await scene.calm()
    await service.stop()
  }
}

/** Room for the programs, a cluster and some of its write-ahead log. */
const disk_mb = 330

/**
 * Keeps the disk full until the service says that PostgreSQL cannot work. That first uses what it has reserved for its
 * write-ahead log, which would last for minutes, so that is used up here.
 */
const untilFull = async ({ service }: DataScene, disk: SmallDisk): Promise<void> => {
  while (!service.log.includes("no space is left for")) {
    await disk.fill()
    try {
      const client = await connectToFolder(disk.path)
      await client
        .query("SELECT pg_logical_emit_message(false, 'test', repeat('x', 1000000), true) FROM generate_series(1, 10)")
        .finally(() => client.end())
    } catch {
      // As it has to be.
    }
    await setTimeout(100)
  }
}
