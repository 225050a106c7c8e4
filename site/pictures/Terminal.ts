/** A terminal with commands and what they printed, as SVG. Text stays text. */

export interface Command {
  readonly command: string
  /** What it printed; bold and red by ANSI sequences. */
  readonly output: string
}

/** @param title a description for people who do not see it */
export const drawTerminal = (title: string, commands: ReadonlyArray<Command>): string => {
  const lines = commands.flatMap(({ command, output }, i) => [
    ...(i === 0 ? [] : [""]),
    `<tspan class="prompt">$</tspan> <tspan class="bold">${escaped(command)}</tspan>`,
    ...output.trimEnd().split("\n").map(styled)
  ])
  const columns = Math.max(...lines.map(widthOf))
  const width = Math.ceil(columns * characterWidth) + 2 * margin
  const height = top + lines.length * lineHeight + margin
  const rows = lines.map((line, i) => `<text y="${top + (i + 1) * lineHeight - 6}">${inColumns(line)}</text>`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="frame" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>`,
    ...[20, 38, 56].map((x) => `<circle cx="${x}" cy="19" r="5.5"/>`),
    ...rows,
    "</svg>",
    ""
  ].join("\n")
}

const fontSize = 14
/** That of the widest of the fonts below. */
const characterWidth = fontSize * 0.605
const lineHeight = 21
const margin = 20
const top = 36

const style = `
.frame { fill: #16181c; stroke: #3a3f47 }
circle { fill: #3f444d }
text { fill: #d7dade; font: ${fontSize}px ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.prompt { fill: #7fd49a }
.bold { font-weight: 600; fill: #fff }
.red { fill: #f2b8b5 }
`

/** Without tags, in characters. */
const widthOf = (line: string): number => line.replace(/<[^>]*>/g, "").replace(/&\w+;/g, "x").length

/** Whatever follows two spaces or more stands in its column, also where the reader has no such font. */
const inColumns = (line: string): string => {
  let column = 0
  return line
    .split(/(?<= {2})(?! )/)
    .map((part) => {
      const x = margin + column * characterWidth
      column += widthOf(part)
      return `<tspan x="${x.toFixed(1)}">${part.trimEnd()}</tspan>`
    })
    .join("")
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character] ?? character)

/** The two ANSI styles that the command uses. */
const styled = (line: string): string =>
  escaped(line)
    .replaceAll("\u001b[1m", '<tspan class="bold">')
    .replaceAll("\u001b[31m", '<tspan class="red">')
    .replaceAll("\u001b[22m", "</tspan>")
    .replaceAll("\u001b[39m", "</tspan>")
