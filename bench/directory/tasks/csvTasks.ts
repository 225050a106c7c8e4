/** The steps of `csvBuild`, each in its own process. */
import { createReadStream, createWriteStream } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { unitColumns } from "@postcode/core/Csv"
import { demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"
import Papa from "papaparse"

export interface WriteCsvParameter {
  readonly units: number
  readonly folder: string
}

/** Writes the demonstration directory in the import format. */
export const writeCsv = async (
  { folder, units }: WriteCsvParameter,
  progress: (message: string) => void
): Promise<void> => {
  await mkdir(folder)
  await writeFile(join(folder, "places.csv"), demoPlacesCsv())
  await pipeline(Readable.from(texts(units, progress)), createWriteStream(join(folder, "units.csv")))
}

function* texts(units: number, progress: (message: string) => void): Generator<string> {
  let written = 0
  for (const piece of demoUnitsCsv({ units })) {
    yield piece.text
    const before = written
    written += piece.units
    if (Math.floor(written / 2_500_000) > Math.floor(before / 2_500_000)) progress(`csv: wrote ${written} rows`)
  }
}

export interface ParseCsvParameter {
  readonly path: string
  /** The minimum number of rows to read, including the header. The peer stops after the chunk with the last one. */
  readonly rows: number
}

/** The peer's rows as arrays of fields, and its time. */
export interface Parsed {
  readonly rows: number
  readonly time_s: number
}

export const parseCsv = ({ path, rows }: ParseCsvParameter): Promise<Parsed> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    let read = 0
    let fields = 0
    Papa.parse<ReadonlyArray<string>>(createReadStream(path, "utf8"), {
      preview: rows,
      skipEmptyLines: true,
      chunk: ({ data }) => {
        for (const row of data) fields += row.length
        read += data.length
      },
      complete: () => {
        const time_s = (performance.now() - start) / 1000
        if (read >= rows && fields === unitColumns.length * read) resolve({ rows: read, time_s })
        else reject(new Error(`${path}: the peer read ${read} rows of ${fields} fields, expected ${rows} of ten each`))
      },
      error: reject
    })
  })
