/**
 * The directory at national size: searches, codes, snapshots, building, changes and exactness, compared with common
 * alternatives. Each step runs in its own process, so that none disturbs another; bench/README.md explains each
 * figure.
 */
import { join } from "node:path"
import type { Bench, Figure } from "./Bench.ts"
import { csvBuild } from "./directory/csvBuild.ts"
import { snapshots } from "./directory/snapshots.ts"
import { allocationFlags } from "./directory/tasks/allocation.ts"
import { membershipFlags } from "./directory/tasks/codes.ts"
import { callKinds } from "./directory/tasks/firstCalls.ts"
import { inFreshProcess, type ProcessOptions } from "./process/FreshProcess.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface DirectoryBenchSettings {
  /** Node's flags for the steps' processes. */
  readonly nodeFlags: ReadonlyArray<string>
  readonly units: number
  /** Rounds of loops. Steps that take seconds run a third of them. */
  readonly rounds: number
  /** Points in a round of the cheapest search, and searches compared with the reference implementation. */
  readonly points: number
  /** The duration of a round of searches during changes. */
  readonly changes_s: number
  /** The folder of PostgreSQL's programs; the usual ones if undefined. */
  readonly postgresFolders: ReadonlyArray<string> | undefined
  /** Whether to install the peers that are not dependencies. */
  readonly installsPeers: boolean
}

const defaults: DirectoryBenchSettings = {
  nodeFlags: process.execArgv,
  units: 10_000_000,
  rounds: 9,
  points: 100_000,
  changes_s: 15,
  postgresFolders: undefined,
  installsPeers: true
}

export const directoryBench = (settings: Partial<DirectoryBenchSettings> = {}): Bench =>
  async function* ({ progress, units }) {
    const given = { ...defaults, ...settings }
    yield* inTemporaryFolder((folder, signal) =>
      steps({ ...given, units: units ?? given.units }, folder, { nodeFlags: given.nodeFlags, progress, signal })
    )
  }

async function* steps(
  { changes_s, installsPeers, points, postgresFolders, rounds, units }: DirectoryBenchSettings,
  folder: string,
  options: ProcessOptions
): AsyncGenerator<Figure> {
  const path = join(folder, "units.snapshot")
  const fewRounds = Math.ceil(rounds / 3)
  const codes = { path, inputs: points, rounds }
  yield* snapshots(units, path, fewRounds, options)
  yield* await inFreshProcess("searches", { path, points, rounds }, options)
  yield* await inFreshProcess("allocation", { path, points, rounds }, withFlags(options, allocationFlags))
  yield* await inFreshProcess("membership", codes, withFlags(options, membershipFlags))
  yield* await inFreshProcess("completion", codes, options)
  for (const kind of callKinds) yield* await inFreshProcess("firstCalls", { path, kind, calls: points }, options)
  yield* await inFreshProcess("changes", { path, points, rounds: fewRounds, round_s: changes_s }, options)
  yield* await inFreshProcess("exactness", { path, queries: points }, options)
  const postgres = { folder: join(folder, "postgres"), programFolders: postgresFolders }
  yield* await inFreshProcess("postgis", { path, points: Math.ceil(points / 50), rounds, ...postgres }, options)
  yield* csvBuild(units, folder, { installsPeers, rounds: fewRounds }, options)
}

const withFlags = (options: ProcessOptions, flags: ReadonlyArray<string>): ProcessOptions => ({
  ...options,
  nodeFlags: [...options.nodeFlags, ...flags]
})
