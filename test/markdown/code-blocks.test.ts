// What stands in a fenced block of any Markdown file is checked by something: run, compiled, compared with the file that
// it is taken from, or looked up. A block of a kind that nothing checks fails here.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { commandHelp } from "../../packages/cli/test/CommandHelp.ts"
import { placeColumns } from "../../packages/core/src/directory/csv/DirectoryCsv.ts"
import { unitColumns } from "../../packages/core/src/directory/csv/unitTable.ts"
import { readJson, root } from "../../scripts/workspace.mjs"
import { compile } from "./CompiledBlocks.ts"
import { type Block, blocksIn, withoutBlocks } from "./MarkdownBlocks.ts"
import { examplesIn, isAnswer } from "./MarkdownExamples.ts"
import { markdownFiles } from "./MarkdownFiles.ts"
import { isRun } from "./ShellCommands.ts"

const read = (file: string): string => readFileSync(join(root, file), "utf8")

interface Placed extends Block {
  readonly file: string
  /** Whether it answers the block above it; then the test that runs that one compares it. */
  readonly answers: boolean
}

const blocks: ReadonlyArray<Placed> = markdownFiles.flatMap((file) => {
  const all = blocksIn(read(file))
  const examples = new Set(
    examplesIn(read(file))
      .filter(isRun)
      .map(({ line }) => line)
  )
  return all.map((block, i) => ({ ...block, file, answers: isAnswer(block) && examples.has(all[i - 1]?.line ?? 0) }))
})

const placeOf = ({ file, line }: Placed): string => `${file}:${line}`
const of = (...languages: ReadonlyArray<string>): ReadonlyArray<Placed> =>
  blocks.filter(({ language }) => languages.includes(language))
const wrong = (found: ReadonlyArray<Placed>, isRight: (block: Placed) => boolean): ReadonlyArray<string> =>
  found.filter((block) => !isRight(block)).map(placeOf)

/** What checks blocks of each kind. */
const checkedBy = {
  sh: "DocumentExamples.ts runs them",
  ts: "DocumentExamples.ts runs them, and here they are compiled",
  tsx: "they are compiled",
  js: "they are compiled, whatever they leave out",
  jsx: "they are compiled, whatever they leave out",
  html: "their scripts are compiled, their elements looked up",
  css: "properties and parts are looked up",
  json: "they answer an example, or are parsed",
  http: "they answer an example",
  text: "they answer an example; commands in them are looked up",
  csv: "columns are looked up",
  sql: "tables and functions are looked up",
  python: "languages.long.test.ts runs them",
  php: "languages.long.test.ts runs them",
  dart: "nothing here compiles it",
  kotlin: "nothing here compiles it",
  swift: "nothing here compiles it"
} as const

it("every block names its language, which is one that is checked", () => {
  expect(wrong(blocks, ({ language }) => language in checkedBy)).toEqual([])
})

it("code is in fences with a language, and not merely indented", () => {
  const indented = markdownFiles.flatMap((file) => indentedLines(read(file)).map((line) => `${file}: ${line}`))
  expect(indented).toEqual([])
})

/** Lines that Markdown takes for code because of their four spaces: behind an empty line, and in no list. */
const indentedLines = (markdown: string): ReadonlyArray<string> => {
  const lines = withoutBlocks(markdown).split("\n")
  return lines.filter((line, i) => {
    if (!/^ {4,}\S/.test(line) || lines[i - 1]?.trim() !== "") return false
    const above = lines.slice(0, i).findLast((other) => other.trim() !== "" && !other.startsWith("  "))
    return !/^\s*([-*]|\d+\.) /.test(above ?? "")
  })
}

it("only docs/embed.md has languages that are not compiled, and a browser runs its views", () => {
  expect(wrong(of("dart", "kotlin", "swift"), ({ file }) => file === "docs/embed.md")).toEqual([])
})

it("only docs/languages.md has programs in Python and PHP, which its own test runs", () => {
  expect(wrong(of("python", "php"), ({ file }) => file === "docs/languages.md")).toEqual([])
})

it("HTTP is always the response of an example", () => {
  expect(wrong(of("http"), ({ answers }) => answers)).toEqual([])
})

it("JSON is the response of an example, or can be parsed", () => {
  const parses = ({ text }: Block): boolean =>
    text.split("\n").every((line) => line === "") || isJson(text) || text.split("\n").every(isJson)
  expect(wrong(of("json"), (block) => block.answers || parses(block))).toEqual([])
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it("an excerpt equals the file that it names, and the file is compiled and tested", () => {
  const excerpts = blocks.filter(({ excerptOf }) => excerptOf !== undefined)
  expect(wrong(excerpts, ({ excerptOf = "", text }) => isExcerpt(text, read(excerptOf)))).toEqual([])
})

/** Lines of a file in their order. `// …` stands for lines that are left out, and how far they are indented does not count. */
const isExcerpt = (text: string, whole: string): boolean => {
  const pieces = text
    .split("\n")
    .slice(1)
    .join("\n")
    .split(/^\s*(?:\/\/|<!--) …(?: -->)?$/m)
  const flat = (code: string): string => code.replace(/^\s+/gm, "")
  let from = 0
  return pieces.map(flat).every((piece) => {
    const found = flat(whole).indexOf(piece.trim(), from)
    from = found + piece.length
    return found !== -1
  })
}

it("programs compile with the types of the packages", () => {
  const programs = of("ts", "tsx", "js", "jsx").filter(({ excerptOf }) => excerptOf === undefined)
  const scripts = of("html").flatMap((block) =>
    [...block.text.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => ({
      ...block,
      language: "js",
      text
    }))
  )
  expect(compile([...programs, ...scripts].map((block) => ({ ...block, name: placeOf(block) })))).toEqual([])
})

describe("of the picker", () => {
  const picker = readJson(join(root, "packages/widget/custom-elements.json")).modules[0].declarations[0]
  const namesOf = (list: ReadonlyArray<{ readonly name: string }>): ReadonlySet<string> =>
    new Set(list.map(({ name }) => name))

  it("HTML has only existing attributes", () => {
    const known = namesOf([...picker.attributes, ...["id", "class", "style", "title", "dir"].map((name) => ({ name }))])
    const attributesOf = (html: string) =>
      [...html.matchAll(/<postcode-picker\b([^>]*)>/g)].flatMap(([, attributes = ""]) =>
        [...attributes.matchAll(/([\w-]+)(?:="[^"]*")?/g)].map(([, name = ""]) => name)
      )
    expect(wrong(of("html"), ({ text }) => attributesOf(text).every((name) => known.has(name)))).toEqual([])
  })

  it("CSS has only existing custom properties and parts", () => {
    const known = namesOf([...picker.cssProperties, ...picker.cssParts])
    const names = (css: string) => [...css.matchAll(/--pc-[\w-]+|(?<=::part\()[\w-]+/g)].map(([name]) => name)
    expect(wrong(of("css"), ({ text }) => names(text).every((name) => known.has(name)))).toEqual([])
  })
})

it("CSV has the columns of a directory's files", () => {
  const isHeader = (text: string): boolean => {
    const names = (text.split("\n", 1)[0] ?? "").split(",")
    const isOfUnits = unitColumns.slice(0, 4).every((name) => names.includes(name))
    const known: ReadonlyArray<string> = isOfUnits ? unitColumns : placeColumns
    return names.every((name) => known.includes(name)) && (isOfUnits || names.length === placeColumns.length)
  }
  expect(wrong(of("csv"), ({ text }) => isHeader(text))).toEqual([])
})

it("all npm scripts in documents exist", () => {
  const scriptsOf = (folder: string): object => readJson(join(root, folder, "package.json")).scripts ?? {}
  const known = (file: string) => ({
    ...scriptsOf(""),
    ...(/^examples\/[^/]+\//.test(file) ? scriptsOf(dirname(file)) : {})
  })
  const named = (text: string) => [...text.matchAll(/\bnpm run (?:-s )?([\w-]+)/g)].map(([, name = ""]) => name)
  expect(wrong(of("sh", "text"), ({ file, text }) => named(text).every((name) => name in known(file)))).toEqual([])
})

it("tables and functions in SQL are those of the migrations", () => {
  const folder = "packages/postgres/src/migrations"
  const migrations = readdirSync(join(root, folder))
    .map((file) => read(join(folder, file)))
    .join("\n")
  const names = (sql: string) => [...sql.matchAll(/\bpostcode\.([a-z_]+?)(?:_\d+)*\b/g)].map(([, name = ""]) => name)
  expect(wrong(of("sql"), ({ text }) => names(text).every((name) => migrations.includes(`postcode.${name}`)))).toEqual(
    []
  )
})

describe("commands", async () => {
  const help = await commandHelp()
  const flagsOf = new Map(
    help.map(({ doc, path }) => [
      path.join(" "),
      new Set([...doc.flags, ...(doc.globalFlags ?? [])].map(({ name }) => name))
    ])
  )

  /** Commands that do nothing but to hold others. */
  const groups = new Set(help.filter(({ doc }) => doc.subcommands !== undefined).map(({ path }) => path.join(" ")))

  /** What is wrong with a call of the command line, if anything. */
  const faultOf = (call: string): string | undefined => {
    const words = call.replace(/\s#.*$/, "").split(/\s+/)
    const path = words.slice(0, words.findIndex((word) => !/^[a-z-]+$/.test(word) || word.startsWith("-")) >>> 0)
    const command = [2, 1, 0].map((length) => path.slice(0, length).join(" ")).find((name) => flagsOf.has(name)) ?? ""
    const takesCommands = groups.has(command) && path.length > command.split(" ").filter(Boolean).length
    if (takesCommands) return call
    const flags = [...call.matchAll(/(?<=\s)--([a-z][a-z-]*)/g)].map(([, name = ""]) => name)
    return flags.every((flag) => ["help", "version"].includes(flag) || flagsOf.get(command)?.has(flag))
      ? undefined
      : call
  }

  it("in documents exist, with their flags", () => {
    const shown = blocks.filter(({ language }) => language === "text" || language === "sh")
    const faults = shown.flatMap((block) =>
      [
        ...block.text
          .replaceAll("\\\n", " ")
          .matchAll(/(?:^|[;&|(] *|run (?:--rm )?(?:-\S+ \S+ )*)(?:npm run -s )?postcode (?:-- )?([a-z-][^;|&)\n]*)/gm)
      ].flatMap(([, call = ""]) => (faultOf(call.trim()) === undefined ? [] : [`${placeOf(block)} ${call}`]))
    )
    expect(faults).toEqual([])
  })
})
