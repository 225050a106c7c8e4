/** How each peer reads the rows of `units.csv`, at its fastest. */
import { createReadStream } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Transform } from "node:stream"
import { unitColumns } from "@postcode/core/Csv"
import Papa from "papaparse"
import bench from "../package.json" with { type: "json" }

export type CsvReader = "papaparse" | "csv-parse" | "DuckDB, one thread" | "DuckDB"

/** What is known of a peer. */
export interface PeerReader {
  /** In figures. */
  readonly name: string
  /** The package that npm installs during the benchmark, with its version; none if it is a dependency of the benchmarks. */
  readonly installed?: string
  /** Enough rows to measure its speed. Then it stops. */
  readonly maxRows: number
}

const csvParse = "csv-parse@7.0.3"
const duckDb = "@duckdb/node-api@1.5.6-r.1"

export const csvReaders: Readonly<Record<CsvReader, PeerReader>> = {
  papaparse: { name: `papaparse ${bench.dependencies.papaparse}`, maxRows: 2_000_000 },
  "csv-parse": { name: csvParse.replace("@", " "), installed: csvParse, maxRows: 2_000_000 },
  "DuckDB, one thread": { name: "DuckDB 1.5.6, one thread", installed: duckDb, maxRows: Number.POSITIVE_INFINITY },
  DuckDB: { name: "DuckDB 1.5.6, a thread a processor", installed: duckDb, maxRows: Number.POSITIVE_INFINITY }
}

export interface ReadCsvParameter {
  readonly reader: CsvReader
  readonly path: string
  /** The minimum number of rows to read, including the header. A peer stops after the chunk with the last one. */
  readonly rows: number
  /** Where the peer's package is installed, if it is not a dependency. */
  readonly folder: string
}

/** The number of rows and of their fields. */
interface Counted {
  readonly rows: number
  readonly fields: number
}

/** @throws Error if the peer read another number of rows or fields */
export const readCsv = async ({ folder, path, reader, rows }: ReadCsvParameter) => {
  const start = performance.now()
  const read = await reads[reader](path, rows, createRequire(join(folder, "package.json")))
  const time_s = (performance.now() - start) / 1000
  if (read.rows < rows || read.fields !== unitColumns.length * read.rows) {
    throw new Error(
      `${path}: the peer read ${read.rows} rows of ${read.fields} fields, expected ${rows} of ${unitColumns.length} each`
    )
  }
  return { rows: read.rows, time_s }
}

type Read = (path: string, rows: number, require: NodeJS.Require) => Promise<Counted>

const readByPapaParse: Read = (path, rows) =>
  new Promise((resolve, reject) => {
    const read = { rows: 0, fields: 0 }
    Papa.parse<ReadonlyArray<string>>(createReadStream(path, "utf8"), {
      preview: rows,
      skipEmptyLines: true,
      chunk: ({ data }) => {
        for (const row of data) read.fields += row.length
        read.rows += data.length
      },
      complete: () => resolve(read),
      error: reject
    })
  })

const readByCsvParse: Read = (path, rows, require) =>
  new Promise((resolve, reject) => {
    const { parse } = require("csv-parse") as { readonly parse: (options: object) => Transform }
    const read = { rows: 0, fields: 0 }
    const parser = parse({ to: rows, relax_column_count: true })
    parser.on("data", (row: ReadonlyArray<string>) => {
      read.rows++
      read.fields += row.length
    })
    parser.on("error", reject)
    const file = createReadStream(path)
    parser.on("end", () => {
      file.destroy()
      resolve(read)
    })
    file.on("error", reject).pipe(parser)
  })

/** What is used of DuckDB. */
interface DuckDb {
  readonly DuckDBInstance: {
    readonly create: (path: string, options: Readonly<Record<string, string>>) => Promise<DuckDbInstance>
  }
}
interface DuckDbInstance {
  readonly connect: () => Promise<{
    readonly runAndReadAll: (sql: string) => Promise<{ readonly getRows: () => ReadonlyArray<ReadonlyArray<bigint>> }>
  }>
}

/** Aggregates of all columns: the fields are read, and no table is filled. Types are given, so that none is guessed. */
const readByDuckDb =
  (options: Readonly<Record<string, string>>): Read =>
  async (path, _rows, require) => {
    const { DuckDBInstance } = require("@duckdb/node-api") as DuckDb
    const connection = await (await DuckDBInstance.create(":memory:", options)).connect()
    const types = unitColumns.map((name) => `'${name}': '${name === "lat" || name === "lon" ? "DOUBLE" : "VARCHAR"}'`)
    const counts = unitColumns.map((name) => `count(${name})`)
    const table = `read_csv('${path.replaceAll("'", "''")}', header = true, columns = {${types.join(", ")}})`
    const counted = await connection.runAndReadAll(`SELECT count(*), ${counts.join(", ")} FROM ${table}`)
    const rows = Number(counted.getRows()[0]?.[0])
    // The header is a row of the others. A row with another number of fields is an error.
    return { rows: rows + 1, fields: unitColumns.length * (rows + 1) }
  }

const reads: Readonly<Record<CsvReader, Read>> = {
  papaparse: readByPapaParse,
  "csv-parse": readByCsvParse,
  "DuckDB, one thread": readByDuckDb({ threads: "1" }),
  DuckDB: readByDuckDb({})
}
