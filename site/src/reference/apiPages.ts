/** The reference of what the packages export: a page a package, and for core and gateway a page a group of modules. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../scripts/workspace.mjs"
import { apiOf, type Exported, type ExportedModule } from "./PackageApi.ts"

export interface ApiPage {
  /** The name of its file, without folder and `.md`. */
  readonly name: string
  readonly title: string
  /** Its content, in one sentence. */
  readonly summary: string
  readonly text: string
}

/** Those that are imported by programs; the command is run. */
const packages = [
  ...["core", "gateway", "api", "client", "http", "memory", "postgres", "node", "widget", "console", "demo"],
  "conformance"
]

export const readPackages = (): ReadonlyMap<string, ReadonlyArray<ExportedModule>> => apiOf(packages)

export const apiPages = (api: ReadonlyMap<string, ReadonlyArray<ExportedModule>>): ReadonlyArray<ApiPage> =>
  [...api].flatMap(([name, modules]) => {
    const shown = modules.filter((module) => module.exports.length > 0)
    const groups = [...new Set(shown.map((module) => groupOf(name, module)))]
    return groups.map((group) => {
      const title = titles[group] ?? `@postcode/${group.replace("-", ": ")}`
      const summary = summaries[group] ?? descriptionOf(name)
      const members = shown.filter((module) => groupOf(name, module) === group)
      return { name: group, title, summary, text: pageText(title, summary, members) }
    })
  })

const titles: Readonly<Record<string, string>> = {
  "gateway-further": "@postcode/gateway: further modules"
}

const summaries: Readonly<Record<string, string>> = {
  "core-credits": "Prices, and the decisions about charges.",
  "core-directory": "The directory that is searched.",
  "core-further": "Errors and numbers.",
  "core-levels": "Access levels, and what they show.",
  "core-postcode": "The five segments of a postcode.",
  "core-search": "Search by code, name and coordinate.",
  "gateway-accounts": "Accounts of the console: sign-in, passkeys, invitations, console sessions.",
  "gateway-audit": "The audit log: who did what, and when.",
  "gateway-credits": "Balances and the ledger.",
  "gateway-directory": "The current directory, its changes, and the units of the store.",
  "gateway-further": "What several rooms of gateway share.",
  "gateway-keys": "API keys: creation, rotation, revocation, and the principal of a request.",
  "gateway-limits": "Rate limits.",
  "gateway-lookup": "Lookup of units by code, graded by level.",
  "gateway-organizations": "Organizations, their verification, and access requests for levels.",
  "gateway-search": "Searches for a caller with a key or a session.",
  "gateway-store": "What every store provides besides its data.",
  "gateway-usage": "Counts of requests and credits by day.",
  "gateway-webhooks": "Webhooks: endpoints, events, and their delivery.",
  "gateway-widget": "Widget sessions, end users, bookmarks and selections."
}

/** Core and gateway are large: the modules that core's `index.ts` names come first, and each room has a page. */
const groupOf = (name: string, { file }: ExportedModule): string => {
  if (name !== "core" && name !== "gateway") return name
  if (file === "packages/core/src/index.ts" || indexOfCore.includes(`"${file.replace("packages/core/src", ".")}"`))
    return "core"
  return `${name}-${/src\/(\w+)\//.exec(file)?.[1] ?? "further"}`
}

const indexOfCore = readFileSync(join(root, "packages/core/src/index.ts"), "utf8")

const descriptionOf = (name: string): string =>
  JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")).description

const pageText = (title: string, summary: string, modules: ReadonlyArray<ExportedModule>): string => {
  const shown = new Set<string>()
  const [only, another] = modules
  const body =
    only !== undefined && another === undefined
      ? [...(only.comment === "" ? [summary] : []), ...moduleBody(only, shown)]
      : [
          summary,
          tableOf(modules),
          ...modules.flatMap((module) => [`## ${module.specifier}`, ...moduleBody(module, shown)])
        ]
  return `${[`# ${title}`, ...body].join("\n\n")}\n`
}

const tableOf = (modules: ReadonlyArray<ExportedModule>): string => {
  const rows = modules.map(({ comment, exports, specifier }) => {
    const text = comment === "" ? (exports[0]?.comment ?? "") : comment
    return `| [\`${specifier}\`](#${anchorOf(specifier)}) | ${firstSentence(text)} |`
  })
  return ["| Module | Holds |", "|--------|-------|", ...rows].join("\n")
}

const anchorOf = (heading: string): string => heading.toLowerCase().replace(/[^\w -]/g, "")

const firstSentence = (comment: string): string =>
  (/^[\s\S]*?\.(?=\s|$)/.exec(comment)?.[0] ?? comment).replace(/\s+/g, " ").replaceAll("|", "\\|")

const moduleBody = ({ comment, exports, file }: ExportedModule, shown: Set<string>): ReadonlyArray<string> => [
  ...partsOf(comment),
  `In \`${file}\`.`,
  ...exports.flatMap((name) => exportBody(name, shown))
]

/** What several modules export is shown where it comes first. */
const exportBody = ({ code, comment, name }: Exported, shown: Set<string>): ReadonlyArray<string> => {
  if (shown.has(code)) return [`### ${name}`, `The same as [above](#${anchorOf(name)}).`]
  shown.add(code)
  return [`### ${name}`, ...partsOf(comment), fenced(code)]
}

/** A fence is longer than those in what it holds. */
const fenced = (code: string): string => {
  const fence = code.includes("```") ? "````" : "```"
  return `${fence}ts\n${code}\n${fence}`
}

/** A comment in Markdown: its tags as a list, and examples as code. */
const partsOf = (comment: string): ReadonlyArray<string> => {
  const [text = "", ...tags] = comment.split(/^@(?=param|throws|returns|example)/m)
  const items = tags.flatMap((tag) => {
    const [, name = "", rest = ""] = /^(\w+)\s+([\s\S]*)$/.exec(tag.trim()) ?? []
    if (name === "param") return [rest.replace(/^(\w+)\s+([\s\S]*)$/, "- `$1`: $2")]
    return name === "example" ? [] : [`- ${name} ${rest}`]
  })
  const examples = tags.flatMap((tag) => {
    const example = /^example\s+([\s\S]*)$/.exec(tag.trim())?.[1]
    if (example === undefined) return []
    return [example.startsWith("```") ? example : fenced(example)]
  })
  return [text.trim(), items.join("\n"), ...examples].filter((part) => part !== "")
}
