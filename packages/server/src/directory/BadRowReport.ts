/** Messages about bad rows: the first of them with line and reason, `units.csv:17: lat: …`, and all by their reasons. */
import { printable } from "../process/Output.ts"
import { counted, grouped, type Progress } from "../process/Progress.ts"

/** Rows with their own message, and lines of a reason that are listed. */
const maxShown = 20
/** Reasons of a file that are listed. */
const maxReasons = 20
/** Reasons that are told apart. The rest are counted together. */
const maxKnown = 1_000

/** The rows with one reason. */
interface Group {
  readonly name: string
  /** That of the first row. */
  readonly reason: string
  readonly lines: Array<number>
  count: number
}

export const reportBadRows = <File extends string>(
  files: Readonly<Record<File, { readonly name: string }>>,
  progress: Pick<Progress, "say">
) => {
  const groups = new Map<string, Group>()
  let count = 0
  const groupOf = (name: string, reason: string): Group => {
    const key = `${name} ${kindOf(reason)}`
    const isKnown = groups.has(key) || groups.size < maxKnown
    const known = groups.get(isKnown ? key : name)
    if (known !== undefined) return known
    const group = { name, reason: isKnown ? reason : "other reasons", lines: [], count: 0 }
    groups.set(isKnown ? key : name, group)
    return group
  }
  return {
    add: (file: File, line: number, reason: string) => {
      count++
      const { name } = files[file]
      if (count <= maxShown) progress.say(`${name}:${line}: ${printable(reason)}`)
      const group = groupOf(name, reason)
      group.count++
      if (group.lines.length < maxShown) group.lines.push(line)
    },
    /** Says how many rows have which reason, if not every row has its own message; the most frequent reason first. */
    sayReasons: () => {
      if (count <= maxShown) return
      const sorted = [...groups.values()].sort((a, b) => b.count - a.count)
      for (const group of sorted.slice(0, maxReasons)) progress.say(describe(group))
      if (sorted.length > maxReasons) progress.say(`and ${counted(sorted.length - maxReasons, "more reason")}`)
    },
    /** `3 bad rows` */
    summary: () => counted(count, "bad row")
  }
}

/** A reason without what differs from row to row: codes, names in quotes, and numbers. */
const kindOf = (reason: string): string => reason.replace(/[A-Z]{2}(-[A-Z0-9]+)+|"[^"]*"|\d+/g, "#")

/** `units.csv: 338 rows: lat: expected …: lines 2, 3, 4 and 335 more` */
const describe = ({ count, lines, name, reason }: Group): string => {
  const more = count > lines.length ? ` and ${grouped(count - lines.length)} more` : ""
  const where = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`
  return `${name}: ${counted(count, "row")}: ${printable(reason)}: ${where}`
}
