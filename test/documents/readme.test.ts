// The examples of the README, and that documents name all that the program has. Other examples are long tests.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Option } from "effect"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { Api } from "../../packages/api/src/Api.ts"
import { commandHelp } from "../../packages/cli/test/CommandHelp.ts"
import { root } from "../../scripts/workspace.mjs"
import { markdownFiles } from "../markdown/MarkdownFiles.ts"
import { testDocuments } from "./DocumentExamples.ts"

const read = (file: string): string => readFileSync(join(root, file), "utf8")

testDocuments((file) => !file.includes("/"))

it("docs/http/ shows every endpoint of the contract, and no other", () => {
  const pages = markdownFiles.filter((file) => file.startsWith("docs/http/")).map(read)
  const documented = [
    ...pages.join("\n").matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/(?:v1|\.well-known)\/[\w/{}.-]+)/g)
  ]
  const contract = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  )
  const documents = ["GET /v1/openapi.json", "GET /v1/docs"]
  expect([...new Set(documented.map(([endpoint]) => endpoint))].sort()).toEqual([...contract, ...documents].sort())
})

describe("docs/configuration.md", async () => {
  const serve = (await commandHelp()).find(({ path }) => path.join() === "serve")?.doc
  const descriptions = new Map(
    serve?.flags.map(({ description, name, type }) => [
      `--${name}${type === "[=boolean]" ? "" : ` ${type}`}`,
      Option.getOrElse(description, () => "")
    ])
  )
  const rows = [...read("docs/configuration.md").matchAll(/^\| `(--[^`]+)` *\| `(\w+)` *\|.*\| ([^|]+?) *\|$/gm)]

  it("has every flag of postcode serve with its variable, and no other", () => {
    const flags = [...descriptions].map(([flag, text]) => [flag, /\[(\w+)\]$/.exec(text)?.[1]])
    expect(Object.fromEntries(rows.map(([, flag, variable]) => [flag, variable]))).toEqual(Object.fromEntries(flags))
  })

  it("has the defaults that the command's help has", () => {
    const values = rows.flatMap(([, flag = "", , value = ""]) =>
      /^[`\d]/.test(value) ? [[flag, value.replaceAll("`", "")] as const] : []
    )
    const wrong = values.filter(([flag, value]) => {
      const help = descriptions.get(flag) ?? ""
      return !help.includes(`${value} by default`) && /default: (\S+?)(?:;| \[|$)/.exec(help)?.[1] !== value
    })
    expect({ known: values.length > 0, wrong }).toEqual({ known: true, wrong: [] })
  })

  it("has every variable that is no flag, and no other", () => {
    const named = (text: string) => [...new Set(text.match(/\b(POSTCODE_[A-Z_]+)/g))].sort()
    expect(named(read("docs/configuration.md"))).toEqual(
      named([serve?.description, ...descriptions.values()].join("\n"))
    )
  })
})

it("docs/adr/README.md lists every decision by its title", () => {
  const files = markdownFiles.filter((file) => file.startsWith("docs/adr/") && !file.endsWith("README.md"))
  const titles = files.map((file) => `| [${read(file).split("\n")[0]?.slice(2)}](${file.slice("docs/adr/".length)})`)
  expect(
    read("docs/adr/README.md")
      .split("\n")
      .filter((line) => line.startsWith("| ["))
      .map((line) => line.split(" | ")[0])
  ).toEqual(titles)
  expect(titles.map((title) => Number.parseInt(title.slice(3), 10))).toEqual(titles.map((_, index) => index + 1))
})
