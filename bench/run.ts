/**
 * `npm run -s bench -- NAME [--units N] [--organizations N] [--minutes N] [--postgres] [--directory FOLDER] [--tune] [--picture FILE] [--json]`: runs a
 * benchmark and prints its figures beside those of the peers.
 *
 * Standard output carries a table, or with `--json` one object a line; progress goes to standard error. Exit codes: 0
 * done, 1 failed, 2 wrong usage. A benchmark is one file here and one line in `benches`.
 */
import { parseArgs } from "node:util"
import { addressBench } from "./address.ts"
import type { Bench, Figure, Options } from "./Bench.ts"
import { creditsBench } from "./credits.ts"
import { directoryBench } from "./directory.ts"
import { httpBench } from "./http.ts"
import { importBench } from "./import.ts"
import { ledgerBench } from "./ledger.ts"
import { memoryBench } from "./memory.ts"
import { operatorBench } from "./operator.ts"
import { overloadBench } from "./overload.ts"
import { postcode } from "./postcode.ts"
import { restartsBench } from "./restarts.ts"
import { sizingBench } from "./sizing.ts"
import { widgetBench } from "./widget.ts"

const benches: Readonly<Record<string, Bench>> = {
  address: addressBench(),
  credits: creditsBench(),
  directory: directoryBench(),
  http: httpBench(),
  import: importBench(),
  ledger: ledgerBench(),
  memory: memoryBench(),
  operator: operatorBench(),
  overload: overloadBench(),
  postcode,
  restarts: restartsBench(),
  sizing: sizingBench(),
  widget: widgetBench()
}

export interface Output {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
}

/** Runs the named benchmark and returns the exit code. */
export const run = async (args: ReadonlyArray<string>, known: typeof benches, output: Output): Promise<number> => {
  const usage = readUsage(args, known)
  if ("problem" in usage) {
    output.stderr(
      `${usage.problem}\nUsage: bench NAME [--units N] [--organizations N] [--minutes N] [--postgres] [--directory FOLDER] [--tune] [--picture FILE] [--json], with NAME one of: ${names(known)}\n`
    )
    return 2
  }
  const figures: Array<Figure> = []
  const progress = (message: string) => output.stderr(`${usage.name}: ${message}\n`)
  const options = { ...usage.options, progress }
  try {
    for await (const figure of usage.bench(options)) {
      figures.push(figure)
      if (usage.json) output.stdout(`${JSON.stringify(figure)}\n`)
    }
    return 0
  } finally {
    // Prints the figures even if the run fails later.
    if (!usage.json && figures.length > 0) output.stdout(table(figures))
  }
}

interface Usage {
  readonly name: string
  readonly bench: Bench
  readonly options: Omit<Options, "progress">
  readonly json: boolean
}

const readUsage = (args: ReadonlyArray<string>, known: typeof benches): Usage | { readonly problem: string } => {
  const read = readArguments(args)
  if (read instanceof Error) return { problem: read.message }
  const [name, ...more] = read.positionals
  if (name === undefined) return { problem: "No benchmark is named." }
  if (more.length > 0) return { problem: "More than one benchmark is named: give one." }
  const bench = Object.hasOwn(known, name) ? known[name] : undefined
  if (bench === undefined) return { problem: `There is no benchmark "${name}".` }
  const { json, minutes, organizations, units, ...others } = read.values
  for (const [flag, text, digits] of [
    ["units", units, 9],
    ["organizations", organizations, 7],
    ["minutes", minutes, 4]
  ] as const) {
    if (text === undefined || new RegExp(`^[1-9][0-9]{0,${digits - 1}}$`).test(text)) continue
    return { problem: `--${flag} takes a whole number from 1 to ${"9".repeat(digits)}.` }
  }
  const numbers = { units: numberOf(units), organizations: numberOf(organizations), minutes: numberOf(minutes) }
  return { name, bench, options: { ...others, ...numbers }, json }
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))

const readArguments = (args: ReadonlyArray<string>) => {
  try {
    const options = {
      units: { type: "string" },
      organizations: { type: "string" },
      minutes: { type: "string" },
      postgres: { type: "boolean" },
      directory: { type: "string" },
      tune: { type: "boolean" },
      picture: { type: "string" },
      json: { type: "boolean", default: false }
    } as const
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    return error as Error
  }
}

const names = (known: typeof benches): string => Object.keys(known).join(", ")

const table = (figures: ReadonlyArray<Figure>): string => {
  const rows = [
    ["figure", "ours", "unit", "peer", "", "times better"],
    ...figures.map((figure) => [
      figure.figure,
      written(figure.value),
      figure.unit,
      figure.peer === null ? "" : written(figure.peer_value),
      figure.peer ?? "",
      figure.peer === null ? "" : written(figure.ratio, 2)
    ])
  ]
  const widths = rows.reduce<ReadonlyArray<number>>(
    (wide, row) => row.map((cell, i) => Math.max(wide[i] ?? 0, cell.length)),
    []
  )
  return rows.map((row) => `${aligned(row, widths)}\n`).join("")
}

/** Numbers are right-aligned, words left-aligned. */
const aligned = (row: ReadonlyArray<string>, widths: ReadonlyArray<number>): string =>
  row
    .map((cell, column) => (column % 2 === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
    .join("  ")

const written = (value: number | null, digits = value !== null && value < 100 && !Number.isInteger(value) ? 1 : 0) =>
  value === null
    ? "missing"
    : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })

if (import.meta.main) {
  process.exitCode = await run(process.argv.slice(2), benches, {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text)
  })
}
