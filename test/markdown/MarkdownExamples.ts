/** The examples in a Markdown text: fenced code, and the fenced answer that stands right below it. */

import { type Block, blocksIn } from "./MarkdownBlocks.ts"

export interface Example {
  readonly language: "sh" | "ts"
  readonly code: string
  /** The line of the code's fence, from 1. */
  readonly line: number
  readonly answer: Answer | undefined
}

export interface Answer {
  readonly language: "http" | "json" | "text"
  readonly text: string
}

/** All examples of a text, in order. Blocks in other languages are none, and neither are excerpts of files. */
export const examplesIn = (markdown: string): ReadonlyArray<Example> => {
  const blocks = blocksIn(markdown)
  return blocks.flatMap(({ excerptOf, language, line, text }, i) => {
    if ((language !== "sh" && language !== "ts") || excerptOf !== undefined) return []
    const next = blocks[i + 1]
    const answers =
      next !== undefined && isAnswer(next) && !hasHeading(markdown, line + text.split("\n").length, next.line)
    const answer = answers ? { language: next.language, text: next.text } : undefined
    return [{ language, code: text, line, answer }]
  })
}

/** An answer stands in the section of its example. */
const hasHeading = (markdown: string, from: number, to: number): boolean =>
  markdown
    .split("\n")
    .slice(from, to)
    .some((line) => /^#+ /.test(line))

/**
 * Whether an output is the answer that was written down. JSON is compared as values, HTTP by the lines that are shown,
 * text as it is. `…` stands for whatever differs from run to run.
 */
export const isAnsweredBy = (answer: Answer, output: string): boolean => {
  switch (answer.language) {
    case "json":
      return matchesValue(JSON.parse(answer.text), JSON.parse(output))
    case "http": {
      const lines = output.split(/\r?\n/)
      return answer.text.split("\n").every((line) => lines.some((found) => matchesText(line, found)))
    }
    case "text":
      return matchesText(answer.text, output.trimEnd())
  }
}

/** An output with `…` in place of what differs from run to run: ids, keys, times, days. */
export const generalized = (output: string): string =>
  output
    .replace(/\b(acr|dlv|ent|evt|key|mgk|msg|org|usr|whk)_(?!id\b)\w+/g, "$1_…")
    .replace(/"next_cursor":"[^"]*"/g, '"next_cursor":"…"')
    .replace(/\bsvc_(test|live|pk|mk)_\w{38}\b/g, "svc_$1_…")
    .replace(/\bsvc_(test|live|pk)_\w{4}\b/g, "svc_$1_…")
    .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, "…")
    .replace(/\bwhsec_[\w+/=]+/g, "whsec_…")
    .replace(/"token":"[^"]*"/g, '"token":"…"')
    .replace(/"date":"20\d\d-\d\d-\d\d"/g, '"date":"…"')
    .replace(/^(etag|x-ratelimit-re\w+|x-credits-remaining): .*$/gim, "$1: …")

/** The text with other answers below some of its examples. */
export const withAnswers = (markdown: string, outputs: ReadonlyMap<Example, string>): string => {
  const lines = markdown.split("\n")
  for (const [{ answer, code, line }, output] of [...outputs].sort(([a], [b]) => b.line - a.line)) {
    if (answer === undefined) continue
    const from = lines.indexOf(`\`\`\`${answer.language}`, line + code.split("\n").length)
    lines.splice(from + 1, answer.text.split("\n").length, ...rendered(answer, output).split("\n"))
  }
  return lines.join("\n")
}

/** Whether a block may be the answer to what stands above it. */
export const isAnswer = (block: Block): block is Block & Answer => ["http", "json", "text"].includes(block.language)

const matchesText = (expected: string, found: string): boolean => {
  const pattern = expected.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
  return new RegExp(`^${pattern.join("[\\s\\S]*")}$`).test(found)
}

const matchesValue = (expected: unknown, found: unknown): boolean => {
  if (typeof expected === "string" && typeof found === "string") return matchesText(expected, found)
  if (typeof expected !== "object" || expected === null || typeof found !== "object" || found === null) {
    return Object.is(expected, found)
  }
  const [names, foundNames] = [Object.keys(expected), Object.keys(found)]
  return (
    Array.isArray(expected) === Array.isArray(found) &&
    names.length === foundNames.length &&
    names.every((name) => matchesValue((expected as Values)[name], (found as Values)[name]))
  )
}

type Values = Readonly<Record<string, unknown>>

const rendered = ({ language, text }: Answer, output: string): string => {
  if (language === "json") return renderJson(JSON.parse(generalized(output)), "", 0)
  if (language === "text") return output.trimEnd()
  const names = text.split("\n").map((line) => /^[\w-]+(?=:)/.exec(line)?.[0]?.toLowerCase() ?? "HTTP/")
  return generalized(output)
    .split(/\r?\n/)
    .filter((line) => names.some((name) => line.toLowerCase().startsWith(name.toLowerCase())))
    .join("\n")
}

const width = 120

/** JSON for reading: what fits on a line stands on one. `taken` is what stands before and behind it on its line. */
const renderJson = (value: unknown, indent: string, taken: number): string => {
  const flat = renderFlat(value)
  if (typeof value !== "object" || value === null || indent.length + taken + flat.length <= width) return flat
  const inner = `${indent}  `
  const items = Array.isArray(value)
    ? value.map((item) => inner + renderJson(item, inner, 1))
    : Object.entries(value).map(
        ([name, item]) => `${inner}${JSON.stringify(name)}: ${renderJson(item, inner, name.length + 5)}`
      )
  const [open, close] = Array.isArray(value) ? "[]" : "{}"
  return `${open}\n${items.join(",\n")}\n${indent}${close}`
}

const renderFlat = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(renderFlat).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${renderFlat(item)}`)
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
}
