/** What a look at a directory finds, for people on standard error, and for programs as a CSV file. */
import { open } from "node:fs/promises"
import {
  checkDirectory,
  csvLine,
  type FileFacts,
  type FindingKind,
  type Findings,
  findingKinds
} from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import { CommandFailure } from "../process/ExitCode.ts"
import { grouped } from "../process/Progress.ts"

/** What becomes of findings. */
export interface ReportOptions {
  /** The CSV file to write: line, postcode, kind and detail of each finding. */
  readonly report?: string | undefined
  /** Refuse the directory if there is a finding. */
  readonly strict?: boolean
}

/** A directory, and the line of `units.csv` of each unit. */
export interface CheckedDirectory {
  readonly directory: Directory
  readonly lineOf: (id: number) => number
  /** What the files have besides. */
  readonly facts?: FileFacts | undefined
  /** What a look at it found; by default, it is looked at. */
  readonly found?: ReadonlyArray<Findings>
}

/** The number of findings by kind. */
export type FindingCounts = Partial<Readonly<Record<FindingKind, number>>>

/**
 * Looks at a directory, reports what it finds, and writes the report.
 *
 * @param unitsName the name of the file of the units
 * @param say takes one message for each kind
 * @throws CommandFailure if there is a finding, with `strict`
 */
export const reportFindings = async (
  checked: CheckedDirectory,
  { report, strict = false }: ReportOptions,
  unitsName: string,
  say: (message: string) => void
): Promise<FindingCounts> => {
  const { directory, facts, found = checkDirectory(directory, facts) } = checked
  for (const findings of found) say(`warning: ${describe(findings, checked, unitsName)}`)
  if (report !== undefined) await writeReport(report, found, checked)
  const count = found.reduce((sum, { ids }) => sum + ids.length, 0)
  if (strict && count > 0) {
    throw new CommandFailure(`--strict: ${count === 1 ? "there is 1 warning" : `there are ${grouped(count)} warnings`}`)
  }
  return Object.fromEntries(found.map(({ ids, kind }) => [kind, ids.length]))
}

const maxShown = 20

/** `units.csv: 338 exchanged (latitude and …): lines 12, 17, … and 318 more` */
const describe = (findings: Findings, { lineOf }: CheckedDirectory, unitsName: string): string => {
  const { detail, ids, kind } = findings
  const shown = ids.slice(0, maxShown)
  const isPlace = ids[0] === -1 || kind === "unnamed_place"
  const parts = shown.map((id, index) => (isPlace ? detail(index) : String(lineOf(id))))
  const more = ids.length > maxShown ? ` and ${grouped(ids.length - maxShown)} more` : ""
  const where = isPlace ? "" : `${shown.length === 1 ? "line" : "lines"} of ${unitsName} `
  return `${grouped(ids.length)} ${kind}, ${findingKinds[kind]}: ${where}${parts.join(", ")}${more}`
}

const writeReport = async (
  path: string,
  found: ReadonlyArray<Findings>,
  { directory, lineOf }: CheckedDirectory
): Promise<void> => {
  const file = await open(path, "w").catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`--report: ${path} cannot be written: ${error.code}`)
  })
  try {
    await file.write(csvLine(["line", "postcode", "kind", "detail"]))
    for (const { detail, ids, kind } of found) {
      for (let from = 0; from < ids.length; from += 10_000) {
        const lines = ids.slice(from, from + 10_000).map((id, at) => {
          const [line, postcode] = id < 0 ? ["", ""] : [String(lineOf(id)), directory.postcodeAt(id)]
          return csvLine([line, postcode, kind, detail(from + at)])
        })
        await file.write(lines.join(""))
      }
    }
  } finally {
    await file.close()
  }
}
