/** Looks at a directory as it is and made wrong, and counts what the look finds. */
import {
  checkDirectory,
  DirectoryReader,
  type FindingKind,
  type Findings,
  placesHeader,
  unitColumns,
  unitsHeader
} from "@postcode/core/Csv"
import { randomBelow } from "../../test/RandomNumbers.ts"
import { csvRows } from "../kit/CsvRows.ts"
import { type DirectoryRows, makeMessy } from "./MessyDirectory.ts"

/** The two files. */
export interface DirectoryTexts {
  readonly places: string
  readonly units: string
}

export interface MessyOptions extends DirectoryTexts {
  /** The number of rows that become wrong in each way. */
  readonly each: number
  readonly seed: number
}

export interface MessyReport {
  readonly units: number
  /** By the way in which rows are wrong. */
  readonly ways: Readonly<Record<string, { readonly wrong: number; readonly found: number }>>
  /** Lines of the directory as it is that are reported, by kind. */
  readonly falseWarnings: Readonly<Partial<Record<FindingKind, number>>>
  readonly falseLines: number
  readonly wrong: Readonly<Record<string, ReadonlyArray<string>>>
}

/** The shares that are promised. */
const minFound = 0.95
const maxFalse = 0.005

export const runMessy = (options: MessyOptions): MessyReport => {
  const clean = lookAt(options)
  const rows = rowsOf(options)
  const messy = makeMessy(rows, options.each, randomBelow(options.seed))
  const look = lookAt({ places: placesHeader + messy.places, units: unitsHeader + messy.units })
  const ways = Object.fromEntries(
    [...messy.wrong].map(([way, sets]) => {
      const found = sets.filter((lines) => [...lines].some((line) => look.lines.has(line))).length
      return [way, { wrong: sets.length, found }]
    })
  )
  const similar = messy.similar.filter((pair) => look.places.has(pair)).length
  const all = { ...ways, "names that differ in case and blanks": { wrong: messy.similar.length, found: similar } }
  const missed = Object.entries(all).flatMap(([way, { found, wrong }]) =>
    found >= wrong * minFound ? [] : [`${way}: ${found} of ${wrong}`]
  )
  const units = rows.units.length
  const tooMany = clean.lines.size > units * maxFalse ? [`${clean.lines.size} of ${units} units`] : []
  const broken = { "at least 95 % are found": missed, "at most 0.5 % of a clean directory is reported": tooMany }
  return { units, ways: all, falseWarnings: clean.kinds, falseLines: clean.lines.size, wrong: broken }
}

/** The lines of bad rows and findings, and the details of findings about places. */
const lookAt = ({ places, units }: DirectoryTexts) => {
  const lines = new Set<number>()
  const reader = new DirectoryReader({
    skipBadRows: true,
    checksAddresses: true,
    onBadRow: ({ file, line }) => file === "units" && lines.add(line)
  })
  reader.writePlaces(places)
  // In pieces, as a file comes.
  for (let at = 0; at < units.length; at += 1 << 20) reader.writeUnits(units.slice(at, at + (1 << 20)))
  const read = reader.finish()
  if (!read.ok) throw new Error("the directory was not read")
  const found: ReadonlyArray<Findings> = checkDirectory(read.directory, read.facts)
  const details = new Set<string>()
  for (const { detail, ids } of found) {
    for (const [index, id] of ids.entries()) {
      if (id >= 0) lines.add(read.lineOf(id))
      else details.add(detail(index))
    }
  }
  return { lines, places: details, kinds: Object.fromEntries(found.map(({ ids, kind }) => [kind, ids.length])) }
}

const rowsOf = ({ places, units }: DirectoryTexts): DirectoryRows => ({
  places: csvRows(places).map(({ code = "", name = "", zone = "" }) => [code, name, zone]),
  units: csvRows(units).map((row) => unitColumns.map((name) => row[name] ?? ""))
})
