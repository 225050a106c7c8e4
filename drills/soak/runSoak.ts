/**
 * A soak: three replicas behind HAProxy, on three nodes of PostgreSQL. Clients pay and search, the directory changes and
 * keys are rotated all the time, and the database fails over and editions are imported in turns. Afterwards all that was
 * answered is compared with the database.
 */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { formatVersion, parseVersion } from "@postcode/core/Directory"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { Cluster } from "../failover/Cluster.ts"
import { faults } from "../failover/Faults.ts"
import { makeMachines } from "../failover/Machine.ts"
import { failOver, isPaid } from "../failover/runFailovers.ts"
import { emptyTally, runSearches } from "../failover/Searches.ts"
import { type Attempt, runClient } from "../kit/Clients.ts"
import { groupBy } from "../kit/groupBy.ts"
import { environmentOn, makeCustomer } from "../kit/Installation.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import { asOperator } from "../kit/Management.ts"
import { makePayers } from "../kit/Payers.ts"
import { Replica } from "../kit/Replica.ts"
import { until } from "../kit/until.ts"
import { judge } from "../kit/Verdict.ts"
import { streamsOf } from "../living/ChangeStream.ts"
import { type JournalEntry, readJournal } from "../living/Journal.ts"
import { addressesWithin_ms, answeredBatches, expectedUnits, judgeReplicas } from "../living/judge.ts"
import { seconds } from "../living/LivingScene.ts"
import { PosterProcess } from "../living/PosterProcess.ts"
import { ReplicaMemory } from "../living/ReplicaMemory.ts"
import { readStoredDirectory } from "../living/StoredDirectory.ts"
import { wrongDirectory } from "../living/wrongDirectory.ts"
import { changing, demo, Editions } from "./Editions.ts"
import { isFlat, mediansOf } from "./Memory.ts"
import { Rotations } from "./Rotations.ts"
import { startBalancer } from "./startBalancer.ts"

interface SoakOptions {
  readonly minutes: number
  readonly seed: number
  readonly clients: number
  readonly progress: (message: string) => void
}

interface SoakScene {
  readonly cluster: Cluster
  readonly editions: Editions
  readonly journal: string
  /** Of HAProxy. */
  readonly port: number
  readonly replicas: ReadonlyArray<Replica>
  readonly rotations: Rotations
}

export const runSoak = async (options: SoakOptions) => {
  const folder = await mkdtemp(join(tmpdir(), "postcode-soak-"))
  const machines = await makeMachines(folder, { n1: 11, n2: 12, n3: 13, proxy: 10 })
  const replicas: Array<Replica> = []
  try {
    options.progress("starting three nodes and HAProxy")
    const cluster = new Cluster(machines)
    await cluster.start()
    options.progress("importing a directory, and starting three replicas of the service behind HAProxy")
    const env = environmentOn(cluster.url)
    const editions = new Editions(join(folder, "nigeria"), env)
    await editions.write()
    await editions.importNext()
    for (let i = 0; i < 3; i++) replicas.push(await Replica.start(env))
    const port = await startBalancer(
      folder,
      replicas.map((replica) => replica.port)
    )
    const rotations = await Rotations.create(port)
    const scene = { cluster, editions, port, replicas, rotations, journal: join(folder, "journal") }
    return await new Soak(options, scene).run()
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()))
  }
}

const minute_ms = 60_000
/** Changes a second. */
const rate = 5

class Soak {
  private readonly options: SoakOptions
  private readonly scene: SoakScene
  /** From one failover to the next: ten minutes, or a sixth of a short run. */
  private readonly period_ms: number
  private readonly attempts: Array<Attempt> = []
  private readonly searches = emptyTally()
  private readonly failovers: Array<{ readonly kind: string; readonly outage_s: number }> = []
  private readonly imports: Array<{ readonly version: string; readonly everywhere_s: number }> = []
  private readonly stuck: Array<string> = []

  constructor(options: SoakOptions, scene: SoakScene) {
    this.options = options
    this.scene = scene
    this.period_ms = Math.min(10, options.minutes / 6) * minute_ms
  }

  async run() {
    const { cluster, journal, port, replicas, rotations } = this.scene
    const { clients, progress, seed } = this.options
    const abort = new AbortController()
    const payers = [...(await makePayers(port)), ...rotations.payers]
    const scene = { ports: [port], payers, postcodes: this.scene.editions.postcodes, pause_ms: 20 }
    const record = (attempt: Attempt) => void this.attempts.push(attempt)
    const poster = new PosterProcess(
      {
        ...{ ports: [port], authorization: asOperator.authorization, ...demo },
        ...{ sample: changing.places.length, large: true, journal }
      },
      () => {}
    )
    await poster.run()
    poster.start(rate)
    const memory = new ReplicaMemory(replicas)
    const load = Promise.all([
      ...Array.from({ length: clients }, (_, i) =>
        runClient(`c${i}`, scene, randomNumbers(1_000 * seed + i), abort.signal, record)
      ),
      runSearches({ ...scene, secret: payers[0]?.secret ?? "" }, abort.signal, this.searches),
      rotations.run({ scene, signal: abort.signal, record })
    ])
    const reporting = setInterval(() => progress(this.summary(memory)), minute_ms)
    // Of the two, the load ends first only if it fails.
    await Promise.race([this.failAndImport(), load]).finally(() => {
      clearInterval(reporting)
      abort.abort()
    })
    if (this.stuck.length === 0) await poster.pause()
    await poster.kill()
    await load
    const series_mb = memory.stop().map((own) => own.series_mb)
    await cluster.untilHealthy()
    return await this.report(poster.failures, series_mb)
  }

  /** Ends early if one got stuck. */
  private async failAndImport(): Promise<void> {
    const start_ms = performance.now()
    for (let step = 1; step < 2 * this.periods; step++) {
      await setTimeout(Math.max(0, start_ms + (step * this.period_ms) / 2 - performance.now()))
      try {
        await (step % 2 === 1 ? this.failOver() : this.importNext())
      } catch (error) {
        this.stuck.push(`${error}`)
        this.options.progress(`stuck: ${error}`)
        return
      }
    }
    await setTimeout(Math.max(0, start_ms + this.options.minutes * minute_ms - performance.now()))
  }

  private get periods(): number {
    return Math.round((this.options.minutes * minute_ms) / this.period_ms)
  }

  private async failOver(): Promise<void> {
    const kinds = Object.keys(faults)
    const kind = kinds[this.failovers.length % kinds.length] as string
    const outage_s = seconds(await failOver(kind, this.scene.cluster, this.attempts))
    this.failovers.push({ kind, outage_s })
    this.options.progress(`${kind}: no paid call for ${outage_s} s`)
  }

  private async importNext(): Promise<void> {
    const version = await this.scene.editions.importNext()
    const imported_ms = performance.now()
    await until(`edition ${version} on every replica`, async () =>
      (await this.versions()).every((shown) => parseVersion(shown)?.edition === version)
    )
    const everywhere_s = seconds(performance.now() - imported_ms)
    this.imports.push({ version, everywhere_s })
    this.options.progress(`edition ${version} is on every replica ${everywhere_s} s after its import`)
  }

  /** The version of the directory that each replica shows; empty if it does not answer. */
  private versions(): Promise<ReadonlyArray<string>> {
    const versionOf = async ({ port }: Replica) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/search/autocomplete?q=LA`).catch(() => undefined)
      await answer?.arrayBuffer()
      return answer?.headers.get("x-data-version") ?? ""
    }
    return Promise.all(this.scene.replicas.map(versionOf))
  }

  private summary(memory: ReplicaMemory): string {
    const { failed, free, keyed } = this.searches
    const { rotations } = this.scene
    return [
      `${this.attempts.filter(isPaid).length} charges, ${free + keyed} searches, ${failed.length} failed`,
      `${rotations.rotated} rotations, ${rotations.wrong.length} wrong`,
      `${this.failovers.length} failovers, ${this.imports.length} imports, ${memory.latest_mb.join(", ")} MB`
    ].join("; ")
  }

  private async report(posterFailures: ReadonlyArray<string>, series_mb: ReadonlyArray<ReadonlyArray<number>>) {
    const { minutes, progress } = this.options
    const { cluster, journal, rotations } = this.scene
    progress("comparing charges with the ledger")
    const client = await cluster.connect()
    const ledger = await judge(client, this.attempts, [])
    await client.end()
    progress("comparing each replica with the database")
    const entries = readJournal(journal)
    const { wrong: wrongDirectories, ...compared } = await this.judgeDirectory(entries).catch((error: unknown) => ({
      wrong: { "a comparison that failed": [`${error}`] }
    }))
    const { failed, ...searches } = this.searches
    const medians_mb = series_mb.map((own) => mediansOf(own, this.periods))
    const { rotated, refused } = rotations
    const counts = {
      charges: this.attempts.filter(isPaid).length,
      ...{ searches_free: searches.free, searches_keyed: searches.keyed },
      changes: entries.reduce((sum, { applied }) => sum + (applied?.applied ?? 0), 0),
      ...{ rotated, refused, failovers: this.failovers.length, imports: this.imports.length }
    }
    const wrong: Wrong = {
      ...ledger.wrong,
      ...wrongDirectories,
      "a search that failed": failed,
      "a response to a client that is not one of a failover": this.unexpectedAnswers(),
      "a batch of changes that was not answered as it should be": posterFailures,
      "a rotated key": rotations.wrong,
      "a failover or an import that got stuck": this.stuck,
      "a replica that ended": series_mb.flatMap((own, i) => (own.includes(0) ? [`replica ${i + 1}`] : [])),
      "memory that is not flat": this.isJudged ? medians_mb.flatMap((own) => (isFlat(own) ? [] : [`${own} MB`])) : [],
      "too little activity": this.tooLittle(counts)
    }
    return {
      ...{ minutes, ...counts, charges_in_ledger: ledger.charges, slowest_search_s: seconds(searches.slowest_ms) },
      answers: Object.fromEntries(
        [...groupBy(this.attempts, ({ status }) => status)].map(([status, own]) => [status, own.length])
      ),
      ...{ failovers: this.failovers, imports: this.imports, compared },
      memory: {
        is_judged: this.isJudged,
        by_minute_mb: series_mb.map((own) => mediansOf(own, minutes)),
        by_period_mb: medians_mb
      },
      wrong
    }
  }

  /** Three periods of ten minutes. */
  private get isJudged(): boolean {
    return this.options.minutes >= 30
  }

  /** Statuses of paid requests that no failover, balance, limit or rotation explains. */
  private unexpectedAnswers(): ReadonlyArray<string> {
    const rotated = new Set(this.scene.rotations.payers.map(({ account }) => account))
    return this.attempts
      .filter(({ account, status }) => !explained.has(status) && !(status === 401 && rotated.has(account)))
      .map(({ request_id, status }) => `${request_id}: ${status}`)
  }

  private tooLittle(counts: Readonly<Record<string, number>>): ReadonlyArray<string> {
    const { minutes } = this.options
    const least: Readonly<Record<string, number>> = {
      ...{ charges: 500 * minutes, searches_free: 500 * minutes, searches_keyed: 500 * minutes },
      ...{ changes: 60 * minutes, rotated: 3 * minutes - 3, refused: 3 * minutes - 4 },
      ...{ failovers: this.periods, imports: this.periods - 1 }
    }
    return Object.entries(least)
      .filter(([what, count]) => (counts[what] ?? 0) < count)
      .map(([what, count]) => `${what}: ${counts[what]}, fewer than ${count}`)
  }

  /** Compares the replicas with the database, and the database with what was acknowledged. */
  private async judgeDirectory(entries: ReadonlyArray<JournalEntry>) {
    const { cluster, editions, port, replicas } = this.scene
    const addressesUntil_ms = performance.now() + addressesWithin_ms
    const streams = streamsOf(changing, demo.seed)
    const answered = answeredBatches(streams, entries)
    const stored = await readStoredDirectory(cluster)
    const expected = expectedUnits(streams, changing)
    for (const unit of editions.retired) expected.set(unit.postcode, unit)
    const last = formatVersion({ edition: stored.edition, changes: stored.changes })
    let versions: ReadonlyArray<string> = []
    const isLast = async () => {
      versions = await this.versions()
      return versions.every((version) => version === last)
    }
    await until(`version ${last} on every replica`, isLast).catch(() => {})
    const { secret } = await makeCustomer({ url: `http://127.0.0.1:${port}` }, 1_000_000_000)
    const ports = replicas.map((replica) => replica.port)
    const { wrong, ...compared } = await judgeReplicas(
      { ports, secret, seed: this.options.seed },
      { addressesUntil_ms, answered, expected, stored, streams }
    )
    return {
      ...{ version: last, units: stored.units.codes.length, batches: entries.length, ...compared },
      wrong: {
        ...wrong,
        ...(await wrongDirectory(cluster.url, stored)),
        "a replica with another version": versions.filter((version) => version !== last)
      }
    }
  }
}

/** What clients with a valid key are answered. 0 stands for a lost answer. */
const explained: ReadonlySet<number> = new Set([0, 200, 402, 429, 503])
