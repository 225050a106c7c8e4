/** The files of the demonstration directory, for commands and their peers. */
import { createWriteStream } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"

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
