/** A directory is made wrong in many ways, and a look at it has to find that. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"
import { type Drill, printTable } from "../kit/Drill.ts"
import { runMessy } from "./runMessy.ts"

const options = { directory: "", units: 250_000, each: 200, seed: 1 }

export const drill: Drill<typeof options> = {
  options,
  run: async ({ directory, each, seed, units }, progress) => {
    const files = directory === "" ? demonstration(units) : await readFiles(directory)
    progress("looking at the directory as it is, and made wrong")
    const report = runMessy({ ...files, each, seed })
    const rows = Object.entries(report.ways).map(([way, { found, wrong }]) => [
      way,
      wrong,
      found,
      `${((100 * found) / wrong).toFixed(1)} %`
    ])
    printTable(["wrong", "rows", "found", "share"], rows)
    const kinds = Object.entries(report.falseWarnings).map(([kind, count]) => `${count} ${kind}`)
    progress(
      `of ${report.units} units of the directory as it is, ${report.falseLines} are reported: ${kinds.join(", ")}`
    )
    return report.wrong
  }
}

const demonstration = (units: number) => ({
  places: demoPlacesCsv(),
  units: [...demoUnitsCsv({ units })].map(({ text }) => text).join("")
})

/** A folder with places.csv and units.csv, or .csv.gz. */
const readFiles = async (folder: string) => ({
  places: await readText(join(folder, "places.csv")),
  units: await readText(join(folder, "units.csv"))
})

const readText = async (path: string): Promise<string> =>
  readFile(path, "utf8").catch(async () => gunzipSync(await readFile(`${path}.gz`)).toString("utf8"))
