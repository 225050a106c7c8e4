/**
 * Address search: whether it finds what people write, knows how certain it is, and how fast it is, beside MiniSearch,
 * FlexSearch, the parser of Pelias, and PostgreSQL. bench/README.md explains each figure.
 */
import { join } from "node:path"
import { peliasPackages } from "./address/peers/peliasPeer.ts"
import type { Source } from "./address/texts/Source.ts"
import type { Bench, Figure } from "./Bench.ts"
import { inFreshProcess, type ProcessOptions } from "./process/FreshProcess.ts"
import { installPackages } from "./setUp/installPackages.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface AddressBenchSettings {
  /** Node's flags for the steps' processes. */
  readonly nodeFlags: ReadonlyArray<string>
  /** Units of the demonstration. */
  readonly units: number
  /** Texts of each set, plain and hard. */
  readonly texts: number
  /** Texts of each set for the peers. */
  readonly peerTexts: number
  readonly rounds: number
  /** The folders of PostgreSQL's programs; the usual ones if undefined. */
  readonly postgresFolders: ReadonlyArray<string> | undefined
}

const defaults: AddressBenchSettings = {
  nodeFlags: process.execArgv,
  units: 10_000_000,
  texts: 3_400,
  peerTexts: 180,
  rounds: 5,
  postgresFolders: undefined
}

/** Labels compare texts with all addresses in memory, so that they are made for at most so many units. */
const maxLabelledUnits = 200_000

export const addressBench = (settings: Partial<AddressBenchSettings> = {}): Bench =>
  async function* ({ directory, picture, progress, tune, units }) {
    const given = { ...defaults, ...settings, ...(units === undefined ? {} : { units }) }
    const half = tune === true ? "even" : "odd"
    yield* inTemporaryFolder((folder, signal) =>
      steps(given, { directory, half, picture, folder }, { nodeFlags: given.nodeFlags, progress, signal })
    )
  }

interface Run {
  /** A folder of a directory with addresses; none if undefined. */
  readonly directory: string | undefined
  readonly half: "even" | "odd"
  readonly picture: string | undefined
  /** For temporary files. */
  readonly folder: string
}

async function* steps(
  { peerTexts, postgresFolders, rounds, texts, units }: AddressBenchSettings,
  { directory, folder, half, picture }: Run,
  options: ProcessOptions
): AsyncGenerator<Figure> {
  const labelled = Math.min(units, maxLabelledUnits)
  const demo: Source = { folder: undefined, units: labelled }
  const demoName = `demonstration of ${labelled.toLocaleString("en")}`
  const given: Source = { folder: directory, units: labelled }
  const givenName = directory === undefined ? demoName : "directory"
  yield* await inFreshProcess("addressQuality", { source: given, of: givenName, count: texts, half, picture }, options)
  yield* await inFreshProcess("addressSpeed", { source: given, of: givenName, texts, rounds }, options)
  const peliasFolder = await fetchPelias(join(folder, "pelias"), options)
  const database = { folder: join(folder, "postgres"), programFolders: postgresFolders }
  const peers = { source: given, of: givenName, half, count: peerTexts, rounds, peliasFolder, ...database }
  yield* await inFreshProcess("addressPeersInMemory", peers, options)
  yield* await inFreshProcess("addressPeersInPostgres", peers, options)
  if (directory !== undefined) {
    const quality = { source: demo, of: demoName, count: texts, half, picture: undefined }
    yield* await inFreshProcess("addressQuality", quality, options)
  }
  if (units > labelled) {
    const national = { source: { folder: undefined, units }, of: `demonstration of ${units.toLocaleString("en")}` }
    yield* await inFreshProcess("addressSpeed", { ...national, texts, rounds }, options)
  }
}

const fetchPelias = async (folder: string, { progress, signal }: ProcessOptions): Promise<string | undefined> => {
  try {
    await installPackages(folder, peliasPackages, signal)
    return folder
  } catch (error) {
    signal.throwIfAborted()
    progress(`${peliasPackages[0]} is missing: ${String(error).split("\n")[0]}`)
    return undefined
  }
}
