/**
 * Imports that are killed at moments spread over their duration, while a replica searches: counts incomplete current
 * editions and failed searches.
 */

import { once } from "node:events"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import type { Directory } from "@postcode/core/Directory"
import { nearest } from "@postcode/core/ReverseGeocoder"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { layerCurrentDirectory, layerDatabase, openCurrentDirectory } from "@postcode/postgres"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { Client } from "pg"
import type { Figure } from "../Bench.ts"
import type { ProcessOptions } from "../process/FreshProcess.ts"
import { runCommand, startCommand } from "../process/runCommand.ts"

export interface KillTask {
  readonly csv: string
  readonly kills: number
  readonly units: number
  /** A database that has a current edition. */
  readonly url: string
}

export async function* killImports(
  { csv, kills, units, url }: KillTask,
  options: ProcessOptions
): AsyncGenerator<Figure> {
  const args = ["import", csv, "--database-url", url, "--force"]
  const { time_s } = await runCommand(args, options)
  const replica = searching(url)
  let broken = 0
  for (let kill = 0; kill < kills; kill++) {
    options.progress(`kill -9, ${kill + 1} of ${kills}`)
    const child = startCommand(args, options)
    const ended = Promise.all([once(child, "close"), text(child.stdout as Readable), text(child.stderr as Readable)])
    await Promise.race([setTimeout(((kill + 0.5) / kills) * time_s * 1000), ended])
    child.kill("SIGKILL")
    await ended
    if (!(await isWhole(url, units))) broken++
  }
  const { failed, searches } = await replica.stop()
  const figure = (name: string, value: number, unit: string): Figure => ({
    bench: "import",
    figure: name,
    value,
    unit,
    peer: null,
    peer_value: null,
    ratio: null
  })
  yield figure(`kill -9 at ${kills} moments of an import: current editions that were not whole`, broken, "editions")
  yield figure("… searches of a replica meanwhile", searches, "searches")
  yield figure("… that failed", failed, "searches")
}

/** Whether exactly one edition is current, with all rows and an intact snapshot. */
const isWhole = async (url: string, units: number): Promise<boolean> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ readonly edition: number }>(
      "SELECT edition FROM postcode.directory_editions WHERE is_current"
    )
    if (rows.length !== 1) return false
    const counted = await client.query<{ readonly rows: string }>(
      `SELECT count(*) AS rows FROM postcode.units_${rows[0]?.edition}`
    )
    const loaded = await Effect.runPromise(Effect.provide(openCurrentDirectory, database(url)))
    return Number(counted.rows[0]?.rows) === units && loaded.size === units
  } finally {
    await client.end()
  }
}

const database = (url: string) =>
  Layer.merge(layerDatabase({ url: Redacted.make(url), maxConnections: 2 }), Logger.layer([]))

/** A replica that searches continuously, with a pause short enough to cost others almost nothing. */
const searching = (url: string) => {
  const runtime = ManagedRuntime.make(layerCurrentDirectory.pipe(Layer.provideMerge(database(url))))
  let searches = 0
  let failed = 0
  let isStopped = false
  const search = (directory: Directory): boolean => {
    const id = (searches++ * 7_919) % directory.size
    return !directory.isActive(id) || nearest(directory, directory.coordinateAt(id), 25) !== undefined
  }
  const done = (async () => {
    const { get } = await runtime.runPromise(CurrentDirectory)
    while (!isStopped) {
      if (!search(get())) failed++
      await setTimeout(pause_ms)
    }
  })()
  return {
    stop: async () => {
      isStopped = true
      await done
      await runtime.dispose()
      return { failed, searches }
    }
  }
}

const pause_ms = 5
