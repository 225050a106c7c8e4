/**
 * The service under mixed traffic for a long time: checks that its memory stays bounded. bench/README.md explains
 * each figure.
 */
import { join } from "node:path"
import { freePort } from "@postcode/drills/postgres"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { Child } from "./http/Child.ts"
import { requireProcessStats } from "./http/processUse.ts"
import { type ServiceProcess, startService } from "./http/ServiceProcess.ts"
import { median } from "./measure.ts"
import type { LoadOrder } from "./memory/loadProcess.ts"
import type { LoadResult } from "./memory/MixedLoad.ts"
import { openKeys } from "./memory/openKeys.ts"
import { type Holding, ProcessProbe } from "./memory/ProcessProbe.ts"
import { type Sample, trendOf } from "./memory/trend.ts"
import { runCommand } from "./process/runCommand.ts"
import { startDatabase } from "./setUp/startDatabase.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface LoadSettings {
  /** Node's flags for all processes. */
  readonly nodeFlags: ReadonlyArray<string>
  readonly minutes: number
  /** On PostgreSQL instead of in memory. */
  readonly postgres: boolean
  readonly addresses: number
  readonly organizations: number
  readonly keysEach: number
  /** The interval between two memory samples. */
  readonly slice_s: number
  /** The time for measuring the capacity. */
  readonly capacity_s: number
}

export const memoryBench = (settings: Partial<LoadSettings> = {}): Bench =>
  async function* ({ minutes, postgres, progress, units = 250_000 }) {
    requireProcessStats()
    const asked = { ...(minutes !== undefined && { minutes }), ...(postgres !== undefined && { postgres }) }
    const given: LoadSettings = { ...defaults, ...settings, ...asked }
    yield* inTemporaryFolder((folder, signal) => measureMemory({ ...given, folder, progress, signal, units }))
  }

const defaults: LoadSettings = {
  nodeFlags: process.execArgv,
  minutes: 30,
  postgres: false,
  addresses: 1_000_000,
  organizations: 1_000,
  keysEach: 100,
  slice_s: 10,
  capacity_s: 20
}

/** As in the Dockerfile: without a limit, Node on a large machine keeps several times as much garbage. */
const heapLimits = ["--max-old-space-size=512", "--max-semi-space-size=8"]

/** The maximum memory besides stored data: the directory and, without a database, keys, usage and journals. */
const memoryLimit_bytes = 400_000_000

interface Run extends LoadSettings {
  readonly folder: string
  readonly units: number
  readonly signal: AbortSignal
  readonly progress: (message: string) => void
}

type Load = Child<LoadOrder, LoadResult>

async function* measureMemory(run: Run): AsyncGenerator<Figure> {
  await using running = new AsyncDisposableStack()
  const { addresses, capacity_s, nodeFlags, progress, units } = run
  progress("making a directory")
  const files = join(run.folder, "directory")
  await runCommand(["demo", files, `--units=${units}`], run)
  const { probe, service } = await startWatched(running, await storeFlag(running, files, run), run)
  const load: Load = running.adopt(
    new Child<LoadOrder, LoadResult>(new URL("./memory/loadProcess.ts", import.meta.url), nodeFlags),
    (load) => load.end()
  )
  const nobody = { secret: [], publishable: [] }
  await load.tell({ order: "prepare", port: service.port, units, clients: { addresses, keys: nobody } })
  const alone = await probe.look()
  progress(`opening ${run.organizations * run.keysEach} keys; the directory alone: ${written(alone)}`)
  const keys = await openKeys(service, { ...run, connections: 32 })
  await load.tell({ order: "prepare", port: service.port, units, clients: { addresses, keys } })
  await load.tell({ order: "touch" })
  const filled = await probe.look()
  // Without a database, keys, usage and journals are data in the process's memory, like the directory.
  const stored = run.postgres ? alone : filled
  progress(`looking for what it can do at most; with all keys: ${written(filled)}`)
  const { rate_per_s: capacity_per_s } = await load.tell({ order: "asFastAsItGoes", time_s: capacity_s })
  probe.forgetPeak()
  yield* watch(run, { capacity_per_s, load, probe, stored })
}

/** The flag for the store. */
const storeFlag = async (running: AsyncDisposableStack, files: string, run: Run): Promise<string> => {
  if (!run.postgres) return `--directory=${files}`
  const database = running.adopt(await startDatabase(run.folder), ({ stop }) => stop())
  const flag = `--database-url=${database.url("postgres")}`
  await runCommand(["import", files, flag], run)
  return flag
}

const startWatched = async (running: AsyncDisposableStack, store: string, run: Run) => {
  const port = await freePort()
  const watched = { ...run, nodeFlags: [...run.nodeFlags, ...heapLimits, `--inspect=127.0.0.1:${port}`] }
  const started = await startService([store, "--trusted-proxies=127.0.0.1"], watched)
  const service: ServiceProcess = running.adopt(started, ({ stop }) => stop())
  const probe = running.adopt(await ProcessProbe.open(service.pid, port), (probe) => probe.close())
  return { probe, service }
}

interface Watched {
  readonly capacity_per_s: number
  readonly load: Load
  readonly probe: ProcessProbe
  /** The memory before the first request. */
  readonly stored: Holding
}

/** Half of the capacity, for the given time. */
async function* watch(run: Run, { capacity_per_s, load, probe, stored }: Watched): AsyncGenerator<Figure> {
  const { minutes, progress, slice_s } = run
  const rate_per_s = capacity_per_s / 2
  progress(`${Math.round(capacity_per_s)} requests/s at most, so ${Math.round(rate_per_s)} for ${minutes} minutes`)
  const heap: Array<Sample> = []
  const p99s_ms: Array<number> = []
  const started_ms = performance.now()
  const elapsed_h = () => (performance.now() - started_ms) / 3_600_000
  let answered = 0
  let refused = 0
  let last = stored
  while (elapsed_h() * 60 < minutes || heap.length < minSamples) {
    run.signal.throwIfAborted()
    const result = await load.tell({ order: "bySchedule", time_s: slice_s, rate_per_s })
    last = await probe.look()
    answered += result.answered
    refused += result.refused
    heap.push({ at_h: elapsed_h(), value: last.heap_bytes })
    p99s_ms.push(result.p99_ms)
    progress(`${(elapsed_h() * 60).toFixed(1)} min: ${written(last)}, 99 % within ${result.p99_ms.toFixed(1)} ms`)
  }
  const { slope, uncertainty } = trendOf(heap.slice(Math.floor(heap.length / 2)))
  const peak_bytes = probe.peak_bytes()
  yield* figures({ answered, refused, last, p99s_ms, peak_bytes, rate_per_s, slope, stored, uncertainty })
  const more_bytes = peak_bytes - stored.resident_bytes
  if (more_bytes > memoryLimit_bytes) throw tooMuch(more_bytes)
  if (minutes < minDuration_minutes) return
  if (refused > maxRefused * answered) throw tooBusy(refused, answered)
  if (slope - uncertainty > maxSlope_bytes_per_h) throw growingMessage(slope - uncertainty)
}

/** A heap that grows faster is not bounded. */
const maxSlope_bytes_per_h = 10_000_000

/** Of the answered requests; the machine may be busy at times. */
const maxRefused = 0.05

/** The samples of a trend, and as many again before them. */
const minSamples = 6

/** In a shorter time bounded structures do not reach their bounds, and a busy moment distorts the result. */
const minDuration_minutes = 20

interface Measured {
  readonly stored: Holding
  readonly last: Holding
  readonly answered: number
  readonly refused: number
  readonly rate_per_s: number
  readonly p99s_ms: ReadonlyArray<number>
  readonly peak_bytes: number
  readonly slope: number
  readonly uncertainty: number
}

function* figures(measured: Measured): Generator<Figure> {
  const { answered, refused, last, p99s_ms, peak_bytes, rate_per_s, slope, stored, uncertainty } = measured
  const figure = (
    figure: string,
    value: number,
    unit: string,
    peer: string | null = null,
    peer_value = null as number | null
  ) => compared("less", { bench: "memory", figure, value, unit, peer, peer_value })
  yield figure("requests, all answered rightly", answered, "requests")
  yield figure("requests, refused with 503 and a time to wait", refused, "requests")
  yield figure("requests, half of what it can do", rate_per_s, "requests/s")
  yield figure("99 % are answered within, median of all looks", median(p99s_ms), "ms")
  yield figure("heap, growth in the second half", slope / 1e6, "MB/h")
  yield figure("heap, growth in the second half, give or take", uncertainty / 1e6, "MB/h")
  yield figure("heap at the end, garbage collected", last.heap_bytes, "bytes")
  yield figure("memory with what is stored alone", stored.resident_bytes, "bytes")
  yield figure("peak memory beside it", peak_bytes - stored.resident_bytes, "bytes", "limit", memoryLimit_bytes)
  yield figure("open files and connections at the end", last.descriptors, "descriptors")
}

const tooBusy = (refused: number, answered: number): Error =>
  new Error(
    `the service refused ${refused} requests and answered ${answered}: it was not held to half of what it can do`
  )

const tooMuch = (more_bytes: number): Error =>
  new Error(
    `the service took ${megabytes(more_bytes)} beside what it stores, more than ${megabytes(memoryLimit_bytes)}: ` +
      "something grows that should be bounded"
  )

const growingMessage = (slope: number): Error =>
  new Error(
    `the heap still grew by at least ${megabytes(slope)} an hour in the second half: look for what has no bound`
  )

const written = ({ descriptors, heap_bytes, resident_bytes, resources }: Holding): string =>
  `heap ${megabytes(heap_bytes)}, resident ${megabytes(resident_bytes)}, ${descriptors} descriptors, ${resources} resources`

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
