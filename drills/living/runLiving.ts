/**
 * A directory that lives: replicas on one PostgreSQL, searched all the time, while changes are posted. First it is
 * measured how soon changes are visible and what they cost searches. Then what changes, stores and shows the directory is
 * killed again and again. Afterwards everything that was sent, answered and shown is held against the database.
 */
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { DirectoryVersion } from "@postcode/core/Directory"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { DemoSample, type Place } from "../kit/DemoSample.ts"
import { asOperator } from "../kit/Management.ts"
import type { PostgresServer } from "../kit/postgres/index.ts"
import { runFaults } from "./Faults.ts"
import { readJournal } from "./Journal.ts"
import { judge } from "./judge.ts"
import type { LivingOptions, LivingReport } from "./LivingOptions.ts"
import { type LivingScene, openScene } from "./LivingScene.ts"
import { measureChanges } from "./measureChanges.ts"
import { PosterProcess } from "./PosterProcess.ts"
import { ReplicaMemory } from "./ReplicaMemory.ts"
import { revertImport } from "./revertImport.ts"
import { SearchProcess } from "./SearchProcess.ts"
import { Watcher } from "./Watcher.ts"

export const runLiving = async (options: LivingOptions): Promise<LivingReport> => {
  await using scene = await openScene(options)
  return await live(options, scene)
}

/** Units that changes are made of. */
const maxSample = 200_000

const live = async (options: LivingOptions, scene: LivingScene): Promise<LivingReport> => {
  const { enough = 0, kills, large, progress, rate, seed, units, workers } = options
  const { replicas, secret, server } = scene
  const ports = replicas.map(({ port }) => port)
  const count = Math.min(units, maxSample)
  const sample = new DemoSample({ units, seed }, count)
  const journal = join(scene.folder, "journal")
  await using running = new AsyncDisposableStack()
  const { postcode } = sample.places[0] as Place
  const watcher = new Watcher({ ports, secret, postcode, connections: workers === 1 ? 1 : 2 * workers })
  running.defer(() => watcher.stop())
  const poster = new PosterProcess(
    { ports, authorization: asOperator.authorization, units, sample: count, seed, large, journal },
    (postcodes) => watcher.announce(postcodes)
  )
  running.defer(() => poster.kill())
  const searches = await SearchProcess.start({ ports, secret, units, seed, rate: options.searches })
  running.defer(() => searches.end())
  await poster.run()
  const memory = new ReplicaMemory(replicas)
  const measured = await measureChanges(options, { poster, searches, watcher, journal })
  progress("measured; now things are killed")
  poster.start(rate)
  const faults = await runFaults({ server, replicas, poster }, kills, randomNumbers(seed), progress)
  // Something has to be posted after the last kill.
  await setTimeout(afterKills_ms)
  await poster.pause()
  const revert = options.revert
    ? await revertImport(options, scene, watcher, searches, await currentVersion(server))
    : undefined
  poster.start(rate)
  const isEnough = async () => (await currentVersion(server)).changes > enough && watcher.observed() > enough
  const giveUp_ms = performance.now() + longestExtension_ms
  do await setTimeout(afterKills_ms)
  while (enough > 0 && performance.now() < giveUp_ms && !(await isEnough()))
  await poster.pause()
  const memoryReport = memory.stop()
  const verdict = await judge({
    ...{ sample, seed, large, server, ports, secret, watcher, progress, journal: readJournal(journal) },
    failures: poster.failures
  })
  return {
    units,
    import_s: scene.import_s,
    ready_s: scene.ready_s,
    measured,
    memory: memoryReport,
    faults,
    revert,
    ...verdict
  }
}

const afterKills_ms = 2_000

/** How long a busy machine goes on until there is enough to judge. */
const longestExtension_ms = 300_000

/** The version of the directory in the database. */
const currentVersion = async (server: PostgresServer): Promise<DirectoryVersion> => {
  const client = await server.connect()
  const { rows } = await client.query(
    "SELECT version AS edition, changes FROM postcode.directory_editions WHERE is_current"
  )
  await client.end()
  return rows[0]
}
