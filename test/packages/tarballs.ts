/** What npm gets, file by file. */
import { readFileSync } from "node:fs"
import { mkdir, readFile } from "node:fs/promises"
import { join, posix, relative } from "node:path"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { beforeAll, describe, expect, it } from "vitest"
import { run } from "../../scripts/child.mjs"
import { root } from "../../scripts/workspace.mjs"
import { type InstalledPackages, publishedNames } from "./InstalledPackages.ts"

const known =
  /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|custom-elements\.json|dist\/.+\.(js|d\.ts)(\.map)?|dist\/(THIRD-PARTY-LICENSES\.txt|integrity\.json)|src\/.+\.(css|ts))$/

/** Entry points that only resolve for modules that are not ES modules: there are none. */
const otherModules = new Set(["node10", "node16-cjs"])

export const tarballs = (installed: () => InstalledPackages): void => {
  describe.for(publishedNames)("the tarball of %s", (name) => {
    let files: ReadonlyMap<string, string>
    let bytes: Uint8Array<ArrayBuffer>
    beforeAll(async () => {
      const { tarball } = installed().of(name)
      files = await filesIn(tarball, join(installed().folder, "tarballs", name))
      bytes = new Uint8Array(await readFile(tarball))
    })
    const manifest = () => installed().of(name).manifest

    it("contains README, licence and built files, and no tools of the workspace", () => {
      expect(files.get("LICENSE")).toBe(readFileSync(join(root, "LICENSE"), "utf8"))
      expect(files.get("README.md")).toMatch(new RegExp(`^# ${name}\n`))
      expect([...files.keys()].filter((file) => !known.test(file) || /(^|\/)test\/|\.test\./.test(file))).toEqual([])
    })

    it("has exactly one declaration for each module, except programs, bundles, and types of other packages", () => {
      const others = /^dist\/(bundle\/|postcode-widget\.js|core\/)/
      const modules = (ending: string) =>
        [...files.keys()]
          .filter((file) => file.startsWith("dist/") && !others.test(file) && file.endsWith(ending))
          .map((file) => file.slice(0, -ending.length))
          .sort()
      expect(modules(".js").length).toBeGreaterThan(0)
      expect(modules(".d.ts")).toEqual(manifest().exports === undefined ? [] : modules(".js"))
    })

    it("contains the sources of its maps, as files or in the maps", () => {
      const missing = [...files].flatMap(([file, text]) => {
        if (!file.endsWith(".map")) return []
        const { sources, sourcesContent = [] } = JSON.parse(text) as SourceMap
        const isThere = (source: string, index: number) =>
          typeof sourcesContent[index] === "string" || files.has(posix.join(posix.dirname(file), source))
        return sources.filter((source, index) => !isThere(source, index))
      })
      expect(missing).toEqual([])
    })

    it("has a description, requires exact versions of the other packages, and exports no sources", () => {
      const text = files.get("package.json") ?? ""
      expect(text).not.toMatch(/workspace:|@postcode\/source|devDependencies|"scripts"/)
      const { dependencies = {}, version, ...rest } = JSON.parse(text)
      expect(rest).toMatchObject({
        description: expect.stringMatching(/\.$/),
        keywords: expect.arrayContaining(["postcode"]),
        sideEffects: expect.anything()
      })
      // What browsers run is installed with any Node: Yarn and `engine-strict` refuse a package that requires another.
      const isForBrowsers = ["@postcode/client", "@postcode/core", "@postcode/widget"].includes(name)
      expect(rest.engines).toEqual(isForBrowsers ? undefined : { node: expect.any(String) })
      for (const neighbour of publishedNames) expect([undefined, version]).toContain(dependencies[neighbour])
    })

    it("contains the licences of bundled code", () => {
      const others =
        { "@postcode/cli": ["effect", "jose", "pg", "preact"], "@postcode/console": ["preact"] }[name] ?? []
      const texts = files.get("dist/THIRD-PARTY-LICENSES.txt") ?? ""
      const missing = others.filter(
        (other) => !new RegExp(`^${other} \\d+\\.\\d+\\.\\d+\\n\\n.*(MIT|Copyright)`, "m").test(texts)
      )
      expect(missing).toEqual([])
    })

    it("publint finds no fault", async () => {
      const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
      expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
    })

    it("arethetypeswrong finds no fault, as ES modules", async () => {
      const { exports } = manifest()
      if (exports === undefined) return
      const checked = await checkPackage(createPackageFromTarballData(bytes))
      if (!checked.types) throw new Error("there are no types")
      const problems = checked.problems.filter(
        (problem) => !("resolutionKind" in problem && otherModules.has(problem.resolutionKind))
      )
      expect(problems).toEqual([])
      const plain = Object.keys(exports).filter((entry) => !entry.includes("*"))
      expect(Object.keys(checked.entrypoints)).toEqual(expect.arrayContaining(plain))
    })
  })
}

interface SourceMap {
  readonly sources: ReadonlyArray<string>
  readonly sourcesContent?: ReadonlyArray<string | null>
}

/** The text of each file, by its path in the package. */
const filesIn = async (tarball: string, place: string): Promise<ReadonlyMap<string, string>> => {
  await mkdir(place, { recursive: true })
  await run("tar", ["-xzf", tarball, "-C", place])
  const { output } = await run("tar", ["-tzf", tarball])
  const paths = output.trim().split("\n")
  const read = async (path: string) => [relative("package", path), await readFile(join(place, path), "utf8")] as const
  return new Map(await Promise.all(paths.map(read)))
}
