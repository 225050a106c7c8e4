/** Messages about bad rows: `units.csv:17: lat: …`, and their number. */
import { printable } from "../Output.ts"
import { grouped, type Progress } from "../Progress.ts"

/** @param mostShown the number of rows with their own message; the rest are only counted */
export const reportBadRows = <File extends string>(
  files: Readonly<Record<File, { readonly name: string }>>,
  progress: Pick<Progress, "say">,
  mostShown: number
) => {
  let count = 0
  return {
    add: (file: File, line: number, reason: string) => {
      count++
      if (count <= mostShown) progress.say(`${files[file].name}:${line}: ${printable(reason)}`)
    },
    /** `3 bad rows` */
    summary: () => {
      const rows = count === 1 ? "1 bad row" : `${grouped(count)} bad rows`
      return count > mostShown ? `${rows}, of which the first ${mostShown} are shown` : rows
    }
  }
}
