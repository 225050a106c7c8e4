/** The parts of hand-written files that list the attributes of units, from core's table. */
import { shownColumns } from "../../packages/cli/src/commands/lookup/shownColumns.ts"
import { accessLevels, minimumLevel, shows } from "../../packages/core/src/levels/AccessLevel.ts"
import { type AttributeName, attributeEntry, attributeNames } from "../../packages/core/src/levels/UnitAttributes.ts"

/** Files with such parts, and each with the parts written anew. */
export const attributeTexts: Readonly<Record<string, (text: string) => string>> = {
  "docs/directory-files.md": (text) =>
    text.replace(
      /(?<=^\| `status` .*\n)(\|.*\n)*?(?=\| `replaced_by`)/m,
      attributeNames.map((name) => `${row([code(name), fieldWords(name), "yes"], [21, 55, 20])}\n`).join("")
    ),
  "docs/levels.md": (text) => withCells(text, 59, (level) => shownAt(level).map(code).join(", ")),
  "docs/enriching.md": (text) => withCells(text, 74, (level) => columnsAt(level).map(code).join(", ")),
  "vectors/levels.csv": () =>
    ["level,attribute,shown", ...accessLevels.flatMap((level) => answer.map((name) => vector(level, name)))]
      .map((line) => `${line}\n`)
      .join("")
}

const code = (name: string): string => `\`${name}\``

const row = (cells: ReadonlyArray<string>, widths: ReadonlyArray<number>): string =>
  `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`

/** What a field of an attribute holds. */
const fieldWords = (name: AttributeName): string => {
  const { example, ...entry } = attributeEntry(name)
  const optional = entry.column === "optional" ? "optional: " : ""
  if (entry.type === "flag") return `${optional}\`true\` or \`false\`: ${entry.words}`
  if (entry.type === "integer") return `${optional}${entry.words}, from ${entry.minimum} to ${entry.maximum}`
  return `${optional}${entry.words}${example === undefined ? "" : `, such as \`${example}\``}`
}

/** Levels that add attributes: the others are described by hand. */
const attributeLevels = [2, 3, 4] as const

const withCells = (text: string, width: number, cellOf: (level: 2 | 3 | 4) => string): string =>
  attributeLevels.reduce(
    (changed, level) =>
      changed.replace(new RegExp(`^(\\| ${level} +\\| )[^|]*(?=\\|)`, "m"), `$1${cellOf(level).padEnd(width)} `),
    text
  )

const answer = Object.keys(minimumLevel) as ReadonlyArray<keyof typeof minimumLevel>

const shownAt = (level: number) => answer.filter((name) => minimumLevel[name] === level)

const columnsAt = (level: number): ReadonlyArray<string> =>
  shownColumns.filter((column) => column.level === level).map(({ name }) => name)

const vector = (level: (typeof accessLevels)[number], name: (typeof answer)[number]): string =>
  `${level},${name},${shows(level, name)}`
