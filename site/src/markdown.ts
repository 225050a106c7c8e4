/** Markdown as a tree, of which this site reads little: headings, links, and what text they hold. */
import { markdownToMdast } from "satteri"

/** A part of a text. Which fields there are follows from its type, as mdast has it. */
export interface MarkdownNode {
  readonly type: string
  readonly children?: ReadonlyArray<MarkdownNode>
  readonly depth?: number
  readonly url?: string
  readonly value?: string
  readonly position?: { readonly start: Place; readonly end: Place }
}

interface Place {
  readonly offset: number
}

export const parseMarkdown = (markdown: string): MarkdownNode => markdownToMdast(markdown) as MarkdownNode

/** A node and everything below it, in the order of the text. */
export const nodesIn = (node: MarkdownNode): ReadonlyArray<MarkdownNode> => [
  node,
  ...(node.children ?? []).flatMap(nodesIn)
]

/** What a node says, without any marks. */
export const textOf = (node: MarkdownNode): string =>
  nodesIn(node)
    .map(({ value = "" }) => value)
    .join("")

/** Where a node stands in its text. */
export const rangeOf = ({ position, type }: MarkdownNode): readonly [from: number, to: number] => {
  if (position === undefined) throw new Error(`A ${type} has no position.`)
  return [position.start.offset, position.end.offset]
}
