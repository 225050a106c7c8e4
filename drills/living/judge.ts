/** Holds what was sent, answered and shown against the database, once changes have stopped. */

import { randomNumbers } from "../../test/RandomNumbers.ts"
import type { DemoSample, Unit } from "../kit/DemoSample.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import type { PostgresServer } from "../kit/postgres/index.ts"
import { type ChangeStream, lanes, streamsOf } from "./ChangeStream.ts"
import type { JournalEntry } from "./Journal.ts"
import type { LivingReport } from "./LivingOptions.ts"
import { ReplicaClient } from "./ReplicaClient.ts"
import { rankOf, readStoredDirectory, type StoredDirectory } from "./StoredDirectory.ts"
import type { Watcher } from "./Watcher.ts"
import { type Addressed, isNew, wrongAddresses } from "./wrongAddresses.ts"
import { type Answered, wrongBatches } from "./wrongBatches.ts"
import { wrongDirectory } from "./wrongDirectory.ts"
import { wrongFeed } from "./wrongFeed.ts"
import { wrongObservations } from "./wrongObservations.ts"
import { type Expected, wrongSearches, wrongStatuses, wrongUnits } from "./wrongReplicas.ts"

export interface Evidence {
  readonly sample: DemoSample
  readonly seed: number
  readonly large: boolean
  readonly server: PostgresServer
  readonly ports: ReadonlyArray<number>
  readonly secret: string
  readonly watcher: Watcher
  readonly journal: ReadonlyArray<JournalEntry>
  /** Of the process that posts. */
  readonly failures: ReadonlyArray<string>
  readonly progress: (message: string) => void
}

type Verdict = Pick<
  LivingReport,
  | "addresses"
  | "batches"
  | "changes"
  | "compared"
  | "comparedByReplica"
  | "observed"
  | "refused"
  | "repeated"
  | "searchesByBruteForce"
  | "wrong"
>

export const judge = async (evidence: Evidence): Promise<Verdict> => {
  const { journal, large, progress, sample, seed, server, watcher } = evidence
  progress("comparing all with the database")
  const addressesUntil_ms = performance.now() + addressesWithin_ms
  const streams = streamsOf(sample, seed, large)
  const answered = answeredBatches(streams, journal)
  const stored = await readStoredDirectory(server)
  const isEverywhere = await watcher.untilShown(stored.edition, stored.changes, lostAfter_ms)
  await watcher.stop()
  const { backwards, observations } = watcher
  const ofAll: ReadonlyArray<Wrong> = [
    { "an answer to a batch that was not to be expected": evidence.failures },
    { "a replica that does not show the last change": isEverywhere ? [] : [`version ${stored.changes}`] },
    { "a version that went back": backwards },
    wrongBatches(answered, stored),
    wrongObservations(observations, sample, stored),
    await wrongDirectory(server.url("postgres"), stored)
  ]
  progress("comparing each replica with the database")
  const expected = expectedUnits(streams, sample)
  const replicas = await judgeReplicas(evidence, { addressesUntil_ms, answered, expected, stored, streams })
  return {
    changes: stored.changes,
    batches: stored.batches.length,
    repeated: journal.filter(({ applied }) => applied?.repeated === true).length,
    refused: journal.filter(({ applied }) => applied === undefined).length,
    observed: watcher.observed(),
    compared: stored.units.codes.length,
    ...replicas,
    wrong: joined([...ofAll, replicas.wrong])
  }
}

interface Compared {
  /** By `performance.now`: until then, what is new may not be found yet. */
  readonly addressesUntil_ms: number
  readonly answered: ReadonlyArray<Answered>
  readonly expected: Expected
  readonly stored: StoredDirectory
  /** The streams after all that was answered. */
  readonly streams: ReadonlyArray<ChangeStream>
}

/** Compares what each replica answers with the database, and with what was sent. */
export const judgeReplicas = async (
  { ports, secret, seed }: Pick<Evidence, "ports" | "secret" | "seed">,
  { addressesUntil_ms, answered, expected, stored, streams }: Compared
) => {
  const random = randomNumbers(seed + 9)
  const changed = streams.flatMap((stream) => [...stream.changed.values()])
  const around = pick(changed, searchesAround, random)
  const addressed = addressedUnits(answered, random)
  const clients = ports.map((port) => new ReplicaClient(port, secret))
  const others = Math.min(comparedOthers, stored.units.codes.length)
  const all: Array<Wrong> = [await wrongSearches(clients, stored, around)]
  for (const client of clients) {
    all.push(
      await wrongUnits(client, expected),
      await wrongStatuses(client, stored, others, random),
      await wrongFeed(client, stored),
      await wrongAddresses(client, addressed, isActiveIn(stored), addressesUntil_ms)
    )
    client.close()
  }
  return {
    comparedByReplica: expected.size + others,
    searchesByBruteForce: around.length * 6,
    addresses: addressed.length,
    wrong: joined(all)
  }
}

const lostAfter_ms = 60_000
const searchesAround = 200
/** Sampled units that did not change, with all their attributes. */
const comparedUnchanged = 5_000
/** Random units of the directory, with their status. */
const comparedOthers = 20_000
const comparedAddresses = 100
export const addressesWithin_ms = 60_000

/** What was sent, from the same streams, as far as it was answered. */
export const answeredBatches = (
  streams: ReadonlyArray<ChangeStream>,
  journal: ReadonlyArray<JournalEntry>
): ReadonlyArray<Answered> => {
  const answered: Array<Answered> = []
  for (let lane = 0; lane < lanes; lane++) {
    for (const entry of journal.filter((one) => one.lane === lane)) {
      answered.push({ entry, batch: (streams[lane] as ChangeStream).next() })
    }
  }
  return answered
}

/** All changed units, some others of the sample, and some postcodes that do not exist. */
export const expectedUnits = (
  streams: ReadonlyArray<ChangeStream>,
  sample: DemoSample
): Map<string, Unit | undefined> => {
  const expected = new Map<string, Unit | undefined>()
  for (const { postcode } of sample.places.slice(0, comparedUnchanged)) expected.set(postcode, sample.unit(postcode))
  for (const postcode of sample.free.slice(-100)) expected.set(postcode, undefined)
  for (const { changed } of streams) for (const [postcode, unit] of changed) expected.set(postcode, unit)
  return expected
}

/** Changed units with their addresses: some that changes gave them, and some of retired units from the edition. */
const addressedUnits = (answered: ReadonlyArray<Answered>, random: () => number): ReadonlyArray<Addressed> => {
  const units = new Map<string, Addressed>()
  for (const { batch } of answered) {
    for (const { unit } of batch.effects ?? []) {
      const last = units.get(unit.postcode)
      const [address, lastAddress] = [unit.attributes.recent_address, last?.unit.attributes.recent_address]
      units.set(unit.postcode, { unit, before: lastAddress === address ? last?.before : lastAddress })
    }
  }
  const known = [...units.values()].filter(({ unit }) => unit.attributes.recent_address !== undefined)
  const hasNew = ({ unit }: Addressed) => isNew(unit.attributes.recent_address as string)
  const fresh = known.filter(hasNew)
  const retired = known.filter((addressed) => !hasNew(addressed) && !addressed.unit.active)
  return [...pick(fresh, comparedAddresses, random), ...pick(retired, comparedAddresses, random)]
}

const isActiveIn =
  ({ units }: StoredDirectory) =>
  (postcode: string): boolean =>
    units.actives[rankOf(units, postcode)] === 1

const pick = <A>(from: ReadonlyArray<A>, count: number, random: () => number): ReadonlyArray<A> =>
  from.length <= count ? from : Array.from({ length: count }, () => from[Math.floor(random() * from.length)] as A)

/** The examples of all by their promise. */
const joined = (all: ReadonlyArray<Wrong>): Wrong => {
  const examples: Record<string, Array<string>> = {}
  for (const wrong of all) {
    for (const [promise, found] of Object.entries(wrong)) {
      examples[promise] = [...(examples[promise] ?? []), ...found.slice(0, 20)]
    }
  }
  return examples
}
