/** What is wrong with the built pages: links and anchors that lead nowhere, and what comes from another place. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { htmlToHast } from "satteri"

interface Reference {
  /** An address, as the page has it. */
  readonly to: string
  /** Whether the page takes something from there by itself; otherwise a reader may go there. */
  readonly loads: boolean
}

interface BuiltPage {
  readonly ids: ReadonlySet<string>
  readonly references: ReadonlyArray<Reference>
}

/**
 * One line for each fault.
 *
 * @param folder what was built
 * @param base the path under which it will stand, with a slash at the end
 */
export const faultsOf = (folder: string, base: string): ReadonlyArray<string> => {
  const pages = new Map(globSync("**/*.html", { cwd: folder }).map((file) => [file, readPage(join(folder, file))]))
  return [...pages].flatMap(([file, { references }]) =>
    references.flatMap((reference) => {
      const fault = faultOf(reference, new URL(`${base}${file}`, site), { base, folder, pages })
      return fault === undefined ? [] : [`${file}: ${reference.to} ${fault}`]
    })
  )
}

/** Stands for the site, wherever it will be. */
const site = "https://site.invalid"

const faultOf = (
  { loads, to }: Reference,
  from: URL,
  { base, folder, pages }: { base: string; folder: string; pages: ReadonlyMap<string, BuiltPage> }
): string | undefined => {
  if (!URL.canParse(to, from.href)) return "is no address"
  const { hash, origin, pathname, protocol } = new URL(to, from)
  if (origin !== site) {
    if (loads && protocol !== "data:") return "is loaded from another place"
    return ["data:", "http:", "https:", "mailto:"].includes(protocol) ? undefined : "is no address for readers"
  }
  if (!pathname.startsWith(base)) return `is not below ${base}`
  const path = decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, "$1index.html")
  if (!existsSync(join(folder, path))) return "leads nowhere"
  const known = pages.get(path)?.ids.has(decodeURIComponent(hash.slice(1))) ?? false
  return hash === "" || known ? undefined : "leads to no such place of the page"
}

interface HtmlNode {
  readonly tagName?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly children?: ReadonlyArray<HtmlNode>
}

const readPage = (path: string): BuiltPage => {
  const elements = elementsIn(htmlToHast(readFileSync(path, "utf8")) as HtmlNode)
  const ids = elements.map(({ properties }) => properties?.id).filter((id) => typeof id === "string")
  return { ids: new Set(ids), references: elements.flatMap(referencesOf) }
}

const elementsIn = (node: HtmlNode): ReadonlyArray<HtmlNode> => [node, ...(node.children ?? []).flatMap(elementsIn)]

const referencesOf = ({ properties = {}, tagName }: HtmlNode): ReadonlyArray<Reference> => {
  const { href, rel, src, srcSet } = properties
  // Says where the page stands, which may be anywhere.
  if (tagName === "link" && String(rel) === "canonical") return []
  return [href, src, srcSet].filter((to) => typeof to === "string").map((to) => ({ to, loads: tagName !== "a" }))
}
