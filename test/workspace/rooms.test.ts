// The folders of core and gateway, called rooms, import one another in one direction only. A linter that sees files
// does not see a circle of folders.
import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.mjs"

/** From the lowest room to the highest: a room imports those before it. */
const orders = {
  core: ["postcode", "levels", "credits", "directory", "search"],
  gateway: [
    "store",
    "audit",
    "outbox",
    "webhooks",
    "notices",
    "limits",
    "organizations",
    "keys",
    "usage",
    "credits",
    "accounts",
    "widget",
    "suspension",
    "directory",
    "lookup",
    "search"
  ]
} as const

/** Within the order, what core's rooms do not import: money needs no map, and a search costs nothing here. */
const separate = ["directory → credits", "search → credits", "credits → postcode"]

interface Import {
  readonly from: string
  readonly to: string
}

const roomOf = (file: string): string => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "")

/** The imports between rooms, and from a room to files of no room and back. */
const importsOf = (name: string): ReadonlyArray<Import> => {
  const folder = join(root, "packages", name, "src")
  return globSync("**/*.ts", { cwd: folder })
    .map((file) => file.replaceAll("\\", "/"))
    .flatMap((from) => {
      const source = readFileSync(join(folder, from), "utf8")
      const found = source.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)
      return [...found].map(([, path = ""]) => ({
        from,
        to: normalize(join(dirname(from), path)).replaceAll("\\", "/")
      }))
    })
    .filter(({ from, to }) => roomOf(from) !== roomOf(to))
}

/** The imports of rooms that the order does not allow. */
const upwards = (order: ReadonlyArray<string>, imports: ReadonlyArray<Import>): ReadonlyArray<string> =>
  imports
    .filter(({ from, to }) => roomOf(from) !== "" && roomOf(to) !== "")
    .filter(({ from, to }) => order.indexOf(roomOf(to)) > order.indexOf(roomOf(from)))
    .map(({ from, to }) => `${from} → ${to}`)
    .sort()

describe.for(["core", "gateway"] as const)("the rooms of %s", (name) => {
  const imports = importsOf(name)

  it("are all in the order", () => {
    const rooms = new Set(imports.flatMap(({ from, to }) => [roomOf(from), roomOf(to)]).filter((room) => room !== ""))
    expect([...rooms].sort()).toEqual([...orders[name]].sort())
  })

  it("import only lower rooms", () => {
    expect([...new Set(upwards(orders[name], imports))]).toEqual([])
  })

  it("share files that import no room; only the entry and the list of ports do", () => {
    const shared = imports.filter(({ from, to }) => roomOf(from) === "" && roomOf(to) !== "").map(({ from }) => from)
    expect([...new Set(shared)]).toEqual(name === "core" ? ["index.ts"] : ["Store.ts"])
  })
})

it("postcode, levels and credits of core import nothing of the directory, and the directory nothing of money", () => {
  const found = new Set(importsOf("core").map(({ from, to }) => `${roomOf(from)} → ${roomOf(to)}`))
  expect(separate.filter((edge) => found.has(edge))).toEqual([])
})

it("core imports only values and schemas of effect, nothing that runs, waits or is provided", () => {
  const folder = join(root, "packages/core/src")
  const names = globSync("**/*.ts", { cwd: folder }).flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/import ([^"]*)from "(effect[^"]*)"/g)].flatMap(
      ([, names = "", module = ""]) => (module === "effect" ? (names.match(/\w+/g) ?? []) : [module])
    )
  )
  const pure = ["Data", "Exit", "Result", "Schema", "SchemaIssue", "SchemaTransformation"]
  expect([...new Set(names)].filter((name) => !pure.includes(name))).toEqual([])
})

it("an import of a higher room is found, and with it every circle", () => {
  const circle = [
    { from: "levels/AccessLevel.ts", to: "postcode/Postcode.ts" },
    { from: "postcode/Postcode.ts", to: "levels/AccessLevel.ts" }
  ]
  expect(upwards(orders.core, circle)).toEqual(["postcode/Postcode.ts → levels/AccessLevel.ts"])
})
