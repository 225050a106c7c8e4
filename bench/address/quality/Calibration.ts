/**
 * A picture of calibration: how many answers of each confidence are right, for plain and hard texts, beside what the
 * confidence promises. It has no background and is legible on light and dark pages.
 */
import type { Confidence, Grades } from "./Grades.ts"

/** How many of an answer's kind are to be right. */
export const promised: Readonly<Record<Confidence, number | undefined>> = { high: 0.98, medium: 0.9, low: undefined }

const levels = ["high", "medium", "low"] as const
const width = 640
const left = 130
const scale = width - left - 140
const rowHeight = 26

export const calibrationPicture = (sets: Readonly<Record<string, Grades>>): string => {
  const names = Object.keys(sets)
  const height = 34 + levels.length * (names.length * rowHeight + 22)
  const groups = levels.map((level, index) => groupOf(level, sets, 34 + index * (names.length * rowHeight + 22)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Share of right answers by confidence">`,
    "<style>text{font:14px system-ui,sans-serif;fill:#57606a}.bar{fill:#2f7fd0}.goal{stroke:#c4622d;stroke-width:2}.axis{stroke:#8b949e}",
    "@media(prefers-color-scheme:dark){text{fill:#b7bfc8}.bar{fill:#58a6ff}.goal{stroke:#f0883e}}</style>",
    `<text x="${left}" y="18">answers that are right at the precision they claim</text>`,
    ...groups,
    "</svg>",
    ""
  ].join("\n")
}

const groupOf = (level: Confidence, sets: Readonly<Record<string, Grades>>, top: number): string => {
  const names = Object.keys(sets)
  const bottom = top + names.length * rowHeight
  const goal = promised[level]
  const bars = names.map((name, index) =>
    barOf(name, (sets[name] as Grades).confidences[level], top + index * rowHeight)
  )
  const line =
    goal === undefined
      ? ""
      : `<line class="goal" x1="${left + goal * scale}" x2="${left + goal * scale}" y1="${top - 2}" y2="${bottom}"/>`
  return [
    `<text x="8" y="${top + 18}" font-weight="bold">${level}</text>`,
    ...bars,
    line,
    `<line class="axis" x1="${left}" x2="${left}" y1="${top}" y2="${bottom}"/>`
  ].join("\n")
}

const barOf = (name: string, { all, right }: { readonly all: number; readonly right: number }, y: number): string => {
  const share = all === 0 ? 0 : right / all
  const label = all === 0 ? "none" : `${(100 * share).toFixed(1)} % of ${all.toLocaleString("en")}`
  return [
    `<text x="${left - 8}" y="${y + 18}" text-anchor="end">${name}</text>`,
    `<rect class="bar" x="${left}" y="${y + 4}" width="${(share * scale).toFixed(1)}" height="${rowHeight - 8}"/>`,
    `<text x="${(left + share * scale + 8).toFixed(1)}" y="${y + 18}">${label}</text>`
  ].join("\n")
}
