/** The fenced blocks in a Markdown text. */

export interface Block {
  /** What the fence says behind its signs; empty if nothing. */
  readonly language: string
  readonly text: string
  /** The line of the fence, from 1. */
  readonly line: number
  /**
   * The file that the block is taken from, if its first line is a comment with nothing but a path in this workspace:
   * `// examples/embed-hono/main.ts`.
   */
  readonly excerptOf: string | undefined
}

/** All fenced blocks of a text, in order. A block ends at a fence of the same signs, or of more. */
export const blocksIn = (markdown: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const lines = markdown.split("\n")
  for (let at = 0; at < lines.length; at++) {
    const [, indent = "", fence, language = ""] = /^( *)(`{3,}|~{3,}) *([^`\s]*)/.exec(lines[at] ?? "") ?? []
    if (fence === undefined) continue
    const end = lines.findIndex((line, i) => i > at && line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim()))
    const inner = lines.slice(at + 1, end === -1 ? undefined : end)
    const text = inner.map((line) => line.slice(Math.min(indent.length, line.search(/\S|$/)))).join("\n")
    blocks.push({ language, text, line: at + 1, excerptOf: excerptOf(text) })
    if (end === -1) break
    at = end
  }
  return blocks
}

/** A text without its fenced blocks. */
export const withoutBlocks = (markdown: string): string =>
  markdown.replace(/^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[`~]* *$/gm, "")

const excerptOf = (text: string): string | undefined =>
  /^(?:\/\/|<!--|#) ((?:examples|packages)\/[^\s]+\.\w+)(?: -->)?\n/.exec(text)?.[1]
