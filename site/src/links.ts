/** Links of a Markdown text, written anew, with everything else as it was. */
import { type MarkdownNode, nodesIn, parseMarkdown, rangeOf } from "./markdown.ts"

/** Where a link leads: an address; or nowhere, and then the path is shown instead. */
export type Target = { readonly address: string } | { readonly path: string }

/**
 * The text with other targets. Links to other sites and within the text stay, and so do pictures.
 *
 * @param targetOf where a link leads that names a file, as it is written
 */
export const withTargets = (markdown: string, targetOf: (link: string) => Target): string =>
  nodesIn(parseMarkdown(markdown))
    .filter(({ type, url }) => type !== "image" && url !== undefined && !/^([a-z]+:|#)/i.test(url))
    .flatMap((node) => editsOf(markdown, node, targetOf(node.url ?? "")))
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, put, to }) => text.slice(0, from) + put + text.slice(to), markdown)

interface Edit {
  readonly from: number
  readonly to: number
  readonly put: string
}

const editsOf = (markdown: string, node: MarkdownNode, target: Target): ReadonlyArray<Edit> => {
  const [from, to] = rangeOf(node)
  const [first, last] = [node.children?.[0], node.children?.at(-1)]
  if (node.type !== "link" || first === undefined || last === undefined) {
    throw new Error(`This is written in a way that the site does not know: ${markdown.slice(from, to)}`)
  }
  const [[start], [, end]] = [rangeOf(first), rangeOf(last)]
  if ("address" in target) return [{ from: end, to, put: `](${target.address})` }]
  return [
    { from, to: start, put: "" },
    { from: end, to, put: ` (\`${target.path}\`)` }
  ]
}
