/** Links and headings in a Markdown text, code left aside. */
import { withoutBlocks } from "./MarkdownBlocks.ts"

export interface Heading {
  /** 1 for a title. */
  readonly rank: number
  readonly text: string
  /** The anchor that code hosts give it. */
  readonly anchor: string
}

/** What links lead to, in their order. */
export const linksIn = (markdown: string): ReadonlyArray<string> => {
  const text = withoutBlocks(markdown).replace(/`[^`\n]*`/g, "")
  const inline = [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)].map(([, link = ""]) => link)
  const apart = [...text.matchAll(/^ {0,3}\[[^\]]+\]:\s*(\S+)/gm)].map(([, link = ""]) => link)
  const html = [...text.matchAll(/\b(?:src|href|srcset)="([^"]+)"/g)].map(([, link = ""]) => link)
  return [...inline, ...apart, ...html]
}

/** The headings of a text. Of several that read alike, the anchors of later ones have a number. */
export const headingsIn = (markdown: string): ReadonlyArray<Heading> => {
  const counts = new Map<string, number>()
  return [...withoutBlocks(markdown).matchAll(/^(#{1,6}) (.+?)(?: #+)?$/gm)].map(([, marks = "", text = ""]) => {
    const plain = anchorOf(text)
    const before = counts.get(plain) ?? 0
    counts.set(plain, before + 1)
    return { rank: marks.length, text, anchor: before === 0 ? plain : `${plain}-${before}` }
  })
}

const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-")
