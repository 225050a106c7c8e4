/**
 * Other readers of CSV, beside commands that check, index and store what they read. The peers only read rows of fields.
 */
import { join } from "node:path"
import { compared, type Figure } from "../Bench.ts"
import { median } from "../measure.ts"
import { inFreshProcess, type ProcessOptions } from "../process/FreshProcess.ts"
import { installPackages } from "../setUp/installPackages.ts"
import { type CsvReader, csvReaders, type PeerReader } from "./csvReaders.ts"

export interface CsvPeersOptions {
  /** The file that is read, and the number of its units. */
  readonly path: string
  readonly units: number
  /** For the packages that are not among this repository's. */
  readonly folder: string
  /** Whether to install them. Default: yes. */
  readonly installs?: boolean
}

export class CsvPeers {
  private readonly file: Pick<CsvPeersOptions, "path" | "units">
  /** Where each reader's package is. A reader without one is missing. */
  private readonly packages: ReadonlyMap<CsvReader, string>
  private readonly rates = new Map<CsvReader, Array<number>>()

  private constructor(file: CsvPeers["file"], packages: CsvPeers["packages"]) {
    this.file = file
    this.packages = packages
  }

  /** Installs what is not there. A peer that cannot be installed is missing, which `progress` reports. */
  static async open(
    { folder, installs = true, path, units }: CsvPeersOptions,
    { progress, signal }: ProcessOptions
  ): Promise<CsvPeers> {
    const folders = new Map<string, string | undefined>()
    const packages = new Map<CsvReader, string>()
    for (const [reader, { installed }] of entries) {
      const at = join(folder, `peer-${folders.size}`)
      if (installed !== undefined && !folders.has(installed)) {
        progress(`installing ${installed}`)
        const fault = installs ? await faultOf(installPackages(at, [installed], signal)) : "not installed"
        signal.throwIfAborted()
        if (fault !== undefined) progress(`${installed}: missing: ${fault}`)
        folders.set(installed, fault === undefined ? at : undefined)
      }
      const found = installed === undefined ? folder : folders.get(installed)
      if (found !== undefined) packages.set(reader, found)
    }
    return new CsvPeers({ path, units }, packages)
  }

  /** Each peer reads the file in a new process. */
  async readRound(options: ProcessOptions): Promise<void> {
    const { path, units } = this.file
    for (const [reader, folder] of this.packages) {
      const rows = 1 + Math.min(units, csvReaders[reader].maxRows)
      options.progress(`${reader} reading ${rows.toLocaleString("en")} rows`)
      const read = await inFreshProcess("readCsv", { reader, path, rows, folder }, options)
      const rates = this.rates.get(reader) ?? []
      this.rates.set(reader, [...rates, read.rows / read.time_s])
    }
  }

  /** A rate of ours beside that of each peer. */
  *figures(ours: Pick<Figure, "bench" | "figure" | "value" | "unit">): Generator<Figure> {
    for (const [reader, { maxRows, name }] of entries) {
      const rates = this.rates.get(reader)
      const slice = maxRows < this.file.units ? `, the first ${maxRows.toLocaleString("en")} rows` : ""
      const peer_value = rates === undefined ? null : median(rates)
      yield compared("more", { ...ours, peer: `${name}, reading alone${slice}`, peer_value })
    }
  }
}

const entries = Object.entries(csvReaders) as ReadonlyArray<[CsvReader, PeerReader]>

const faultOf = (installing: Promise<void>): Promise<string | undefined> =>
  installing.then(
    () => undefined,
    (error: unknown) => String(error).split("\n")[0] as string
  )
