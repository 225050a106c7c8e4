/** Messages about bad rows: `units.csv:17: lat: …`, and their number. */
import { printable } from "../process/Output.ts"
import { grouped, type Progress } from "../process/Progress.ts"

/** @param maxShown the number of rows with their own message; the rest are only counted */
export const reportBadRows = <File extends string>(
  files: Readonly<Record<File, { readonly name: string }>>,
  progress: Pick<Progress, "say">,
  maxShown: number
) => {
  let count = 0
  return {
    add: (file: File, line: number, reason: string) => {
      count++
      if (count <= maxShown) progress.say(`${files[file].name}:${line}: ${printable(reason)}`)
    },
    /** `3 bad rows` */
    summary: () => {
      const rows = count === 1 ? "1 bad row" : `${grouped(count)} bad rows`
      return count > maxShown ? `${rows}, of which the first ${maxShown} are shown` : rows
    }
  }
}
