// Links between files of the workspace lead somewhere, as a page that is not built shows them: to a file or folder that
// is there, and to a heading by the anchor that code hosts give it.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { expect, it } from "vitest"
import { root } from "../../scripts/workspace.mjs"
import { markdownFiles } from "./MarkdownFiles.ts"
import { headingsIn, linksIn } from "./MarkdownLinks.ts"

const read = (file: string): string => readFileSync(join(root, file), "utf8")

const anchors = new Map<string, ReadonlySet<string>>()
const anchorsOf = (file: string): ReadonlySet<string> => {
  const known = anchors.get(file)
  if (known !== undefined) return known
  const found = new Set(headingsIn(read(file)).map(({ anchor }) => anchor))
  anchors.set(file, found)
  return found
}

const brokenLinks = (file: string): ReadonlyArray<string> =>
  linksIn(read(file)).flatMap((link) => {
    if (/^(https?|mailto):/.test(link)) return []
    const [path = "", anchor] = link.split("#")
    const target = path === "" ? file : normalize(join(dirname(file), decodeURI(path)))
    const isThere = !target.startsWith("..") && existsSync(join(root, target))
    return isThere && (anchor === undefined || anchorsOf(target).has(anchor)) ? [] : [`${file}: ${link}`]
  })

it("every link of every Markdown file has an existing target", () => {
  expect(markdownFiles.flatMap(brokenLinks)).toEqual([])
})

/** The lists that the site is made from: each has the pages of its folder, and of folders in that without a list. */
const lists = markdownFiles.filter((file) => /^docs\/(.*\/)?README\.md$/.test(file))

it.for(lists)("%s lists every page of its folder exactly once", (list) => {
  const folder = dirname(list)
  const listed = linksIn(read(list))
    .map((link) => normalize(join(folder, link)))
    .filter((path) => path.endsWith(".md"))
  const below = lists.filter((other) => other !== list && other.startsWith(`${folder}/`)).map(dirname)
  const pages = markdownFiles.filter(
    (file) => file.startsWith(`${folder}/`) && file !== list && !below.some((other) => file.startsWith(`${other}/`))
  )
  expect(pages.filter((page) => !listed.includes(page))).toEqual([])
  expect(pages.filter((page) => listed.indexOf(page) !== listed.lastIndexOf(page))).toEqual([])
})

it("a page begins with its title, which is its only heading of the first level", () => {
  const pages = markdownFiles.filter((file) => !file.startsWith(".github/"))
  const wrong = pages.filter((file) => {
    const titles = headingsIn(read(file)).filter(({ rank }) => rank === 1)
    return titles.length !== 1 || !/^(<!--[\s\S]*?-->\s*)?# /.test(read(file))
  })
  expect(wrong).toEqual([])
})

it("the picture of the architecture names every package, and so does the table below it", () => {
  const names = readdirSync(join(root, "packages")).map((name) => `@postcode/${name}`)
  const picture = read("docs/architecture.svg").replace(/@postcode\/<\/text>\s*<text[^>]*>/g, "@postcode/")
  const page = read("docs/architecture.md")
  expect(names.filter((name) => !picture.includes(name) || !page.includes(`| \`${name}\``))).toEqual([])
})

it("the files of the code that the threat model names exist", () => {
  const named = [...read("docs/threat-model.md").matchAll(/`(\w+)\/([\w/.]+\.ts)`/g)]
  const places = ([, first, rest]: RegExpExecArray) =>
    [`packages/${first}/src/${rest}`, `packages/${first}/${rest}`, `${first}/${rest}`].map((path) => join(root, path))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((name) => !places(name).some(existsSync)).map(([name]) => name)).toEqual([])
})

it.for(["docs/changing.md", "docs/architecture.md", "CONTRIBUTING.md"])("the paths of the code in %s exist", (page) => {
  const paths = [...read(page).matchAll(/`((?:packages|scripts|deploy|drills|bench)\/[\w/.-]+)`/g)].map(
    ([, path = ""]) => path
  )
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it("the files on the way of a paid lookup exist", () => {
  const [, way = ""] =
    /### The way of a paid lookup[\s\S]*?```text\n([\s\S]*?)```/.exec(read("docs/architecture.md")) ?? []
  const named = way
    .trimEnd()
    .split("\n")
    .map((line) => /^(\w+) +(\S+\.ts)/.exec(line)?.slice(1))
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((found) => found === undefined)).toEqual([])
  const paths = named.map(([floor, file] = []) => `packages/${floor}/src/${file}`)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
