/** What a package exports, read from its sources by the compiler. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import type { Node, SourceFile } from "typescript/unstable/ast"
import {
  isExportDeclaration,
  isImportDeclaration,
  isSourceFile,
  isVariableDeclaration
} from "typescript/unstable/ast/is"
import { API, type Checker, type Symbol as Name, type Project, SymbolFlags } from "typescript/unstable/sync"
import { root } from "../../../scripts/workspace.mjs"
import { codeOf } from "./DeclarationCode.ts"

export interface ExportedModule {
  /** What an import names, such as `@postcode/core/Postcode`. */
  readonly specifier: string
  /** Its source, from the workspace's root. */
  readonly file: string
  readonly comment: string
  readonly exports: ReadonlyArray<Exported>
}

export interface Exported {
  readonly name: string
  readonly comment: string
  readonly code: string
}

/** What each of some packages exports, module by module. */
export const apiOf = (packages: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<ExportedModule>> => {
  const api = new API({ cwd: root })
  try {
    const configOf = (name: string) => join(root, "packages", name, "tsconfig.json")
    const snapshot = api.updateSnapshot({ openProjects: packages.map(configOf) })
    return new Map(
      packages.map((name) => {
        const project = snapshot.getProject(configOf(name))
        if (project === undefined) throw new Error(`the compiler does not know packages/${name}`)
        return [name, entriesOf(name).map((entry) => moduleOf(entry, project))]
      })
    )
  } finally {
    api.close()
  }
}

interface Entry {
  readonly specifier: string
  readonly path: string
}

/** Every module that can be imported, in the order of the package's `exports`. */
const entriesOf = (name: string): ReadonlyArray<Entry> => {
  const folder = join(root, "packages", name)
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
  return Object.entries(exports).flatMap(([entry, target]) => {
    const source = target?.["@postcode/source"]
    if (source === undefined) return []
    const specifier = `@postcode/${name}${entry.slice(1)}`
    if (!source.includes("*")) return [{ specifier, path: join(folder, source) }]
    return modulesIn(join(folder, "src"), exports).map((file) => ({
      specifier: specifier.replace("*", file.replace(/\.ts$/, "")),
      path: join(folder, "src", file)
    }))
  })
}

interface Manifest {
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>> | null>>
}

/** The modules that only a pattern of `exports` reaches: those with an entry of their own, or in a closed folder, are left out. */
const modulesIn = (folder: string, exports: Manifest["exports"]): ReadonlyArray<string> => {
  const closed = Object.keys(exports)
    .filter((entry) => exports[entry] === null)
    .map((entry) => entry.slice(2, -1))
  const named = Object.values(exports).map((target) => target?.["@postcode/source"]?.slice("./src/".length))
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !named.includes(file) && !closed.some((start) => file.startsWith(start)))
    .sort()
}

const moduleOf = ({ path, specifier }: Entry, { checker, program }: Project): ExportedModule => {
  const source = program.getSourceFile(path)
  const symbol = source && checker.getSymbolAtLocation(source)
  if (source === undefined || symbol === undefined) throw new Error(`the compiler does not know ${path}`)
  const names = checker.getExportsOfModule(symbol)
  return {
    specifier,
    file: relative(root, path),
    comment: firstComment(source),
    exports: names.flatMap((name) => exportedOf(name, checker, source))
  }
}

const exportedOf = (name: Name, checker: Checker, module: SourceFile): ReadonlyArray<Exported> => {
  const target = (name.flags & SymbolFlags.Alias) === 0 ? name : checker.getAliasedSymbol(name)
  const declarations = target.declarations.map((handle) => handle.resolve()).filter((node) => node !== undefined)
  // `export * as Name`: the module has a place of its own.
  if (declarations.some(isSourceFile)) return []
  const own = declarations.map(commentOf).find((comment) => comment !== "")
  const [home] = declarations.map((node) => node.getSourceFile()).filter((file) => file.path !== module.path)
  return [
    {
      name: name.name,
      comment: own ?? (home === undefined ? "" : commentOfConcept(name.name, home)),
      code: declarations.map((node) => codeOf(node, checker)).join("\n")
    }
  ]
}

/** The comment in front of a declaration; of a variable it stands in front of the statement. */
const commentOf = (node: Node): string => {
  const commented = isVariableDeclaration(node) ? node.parent.parent : node
  const comment = commented.jsDoc?.at(-1)
  return comment === undefined || standsApart(comment) ? "" : textOf(comment.getText())
}

/** A comment with an empty line below it is of the file, not of what is declared next. */
const standsApart = (comment: Node): boolean => /^\s*\n\s*\n/.test(comment.getSourceFile().text.slice(comment.end))

/** A file is named after its one concept: what it says of itself is said of that. */
const commentOfConcept = (name: string, file: SourceFile): string =>
  name.toLowerCase().endsWith(basename(file.fileName, ".ts").toLowerCase()) ? firstComment(file) : ""

/** The comment that a file begins with, if it is of the file and not of what is declared first. */
const firstComment = ({ statements, text }: SourceFile): string => {
  const [, comment = "", rest = ""] = /^(?:#![^\n]*\n)?(\/\*\*[\s\S]*?\*\/)([\s\S]*)$/.exec(text) ?? []
  const [first] = statements
  const isOfFile =
    first === undefined || isImportDeclaration(first) || isExportDeclaration(first) || /^\s*\n\s*\n/.test(rest)
  return isOfFile ? textOf(comment) : ""
}

/** A comment without its stars. */
const textOf = (comment: string): string =>
  comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .replace(/^\s*\* ?/gm, "")
    .trim()
