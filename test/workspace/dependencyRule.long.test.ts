// The rules about who may import whom hold because a checker fails without them. These tests break each rule in a copy
// of the workspace and run the checkers of "npm test" on it, with the workspace's own configuration.
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { tool } from "../../scripts/child.mjs"
import { addSource, makeCopy, runNode } from "./WorkspaceCopy.ts"

const imports = "lint/style/noRestrictedImports"
const cycles = "lint/suspicious/noImportCycles"

/** Each file breaks one rule; `reported` is the rule that must name it. */
const violations = [
  {
    rule: "core imports no Node module",
    file: "packages/core/src/NodeModule.ts",
    source: `import { readFileSync } from "node:fs"\nexport const read = readFileSync\n`,
    reported: imports
  },
  {
    rule: "core imports no Node module under its old name, loaded on demand",
    file: "packages/core/src/OldNodeModule.ts",
    source: `export const os = () => import("os")\n`,
    reported: imports
  },
  {
    rule: "core takes no type from Node",
    file: "packages/core/src/levels/NodeType.ts",
    source: `import type { Stats } from "node:fs"\nexport type Size = Stats["size"]\n`,
    reported: imports
  },
  {
    rule: "core imports no unstable group of effect",
    file: "packages/core/src/levels/unstableGroup.ts",
    source: `import { HttpRouter } from "effect/http"\nexport const router = HttpRouter\n`,
    reported: imports
  },
  {
    rule: "core imports no module of an unstable group of effect",
    file: "packages/core/src/levels/unstableModule.ts",
    source: `export { SqlClient } from "effect/sql/SqlClient"\n`,
    reported: imports
  },
  {
    rule: "core imports no other package of the workspace",
    file: "packages/core/src/Inwards.ts",
    source: `import * as memory from "@postcode/memory"\nexport const stores = memory\n`,
    reported: imports
  },
  {
    rule: "core does not import gateway",
    file: "packages/core/src/Upwards.ts",
    source: `import { NotFound } from "@postcode/gateway/Errors"\nexport const missing = NotFound\n`,
    reported: imports
  },
  {
    rule: "gateway imports no Node module",
    file: "packages/gateway/src/NodeModule.ts",
    source: `import { readFileSync } from "node:fs"\nexport const read = readFileSync\n`,
    reported: imports
  },
  {
    rule: "gateway imports no adapter",
    file: "packages/gateway/src/Downwards.ts",
    source: `import * as memory from "@postcode/memory"\nexport const stores = memory\n`,
    reported: imports
  },
  {
    rule: "the suite of a port imports no wire",
    file: "packages/conformance/src/ports/Suite.ts",
    source: `import * as http from "@postcode/http"\nexport const server = http\n`,
    reported: imports
  },
  {
    rule: "a suite of the wire names no store",
    file: "packages/conformance/src/wire/suite.ts",
    source: `import * as memory from "@postcode/memory"\nexport const stores = memory\n`,
    reported: imports
  },
  {
    rule: "Postcode.ts imports nothing, not even its neighbours",
    file: "packages/core/src/postcode/Postcode.ts",
    source: `import { Prices } from "./Prices.ts"\nexport const prices = Prices\n`,
    reported: imports
  },
  ...["memory", "api", "demo"].map((name) => ({
    rule: `${name} imports core, gateway and effect only`,
    file: `packages/${name}/src/Sideways.ts`,
    source: `import * as http from "@postcode/http"\nexport const server = http\n`,
    reported: imports
  })),
  {
    rule: "node knows no store and no HTTP",
    file: "packages/node/src/Sideways.ts",
    source: `import * as memory from "@postcode/memory"\nexport const stores = memory\n`,
    reported: imports
  },
  ...["memory", "http"].map((name) => ({
    rule: `postgres does not import ${name}`,
    file: `packages/postgres/src/${name}.ts`,
    source: `import * as other from "@postcode/${name}"\nexport const sideways = other\n`,
    reported: imports
  })),
  {
    rule: "the widget imports no effect",
    file: "packages/widget/src/Heavy.ts",
    source: `import { Effect } from "effect"\nexport const heavy = Effect.void\n`,
    reported: imports
  },
  {
    rule: "the widget imports nothing of gateway that needs effect",
    file: "packages/widget/src/HeavyCore.ts",
    source: `import { Prices } from "@postcode/gateway/credits/Prices"\nexport const prices = Prices\n`,
    reported: imports
  },
  {
    rule: "the console imports no effect",
    file: "packages/console/src/Heavy.ts",
    source: `import { Effect } from "effect"\nexport const heavy = Effect.void\n`,
    reported: imports
  },
  {
    rule: "the console imports nothing of gateway that needs effect",
    file: "packages/console/src/HeavyCore.ts",
    source: `import { Prices } from "@postcode/gateway/credits/Prices"\nexport const prices = Prices\n`,
    reported: imports
  },
  {
    rule: "the client imports no package",
    file: "packages/client/src/Heavy.ts",
    source: `import { Effect } from "effect"\nexport const heavy = Effect.void\n`,
    reported: imports
  },
  {
    rule: "the client takes no type from the contract's package",
    file: "packages/client/src/Typed.ts",
    source: `import type { ErrorCode } from "@postcode/api"\nexport type Code = ErrorCode\n`,
    reported: imports
  },
  {
    rule: "http names no store",
    file: "packages/http/src/NamesStore.ts",
    source: `import * as memory from "@postcode/memory"\nexport const stores = memory\n`,
    reported: imports
  },
  {
    rule: "two files of a package do not import each other",
    file: "packages/http/src/Hen.ts",
    source: `import { egg } from "./Egg.ts"\nexport const hen = (): unknown => egg\n`,
    reported: cycles
  },
  {
    rule: "two files of a package do not import each other's types",
    file: "packages/http/src/Egg.ts",
    source: `import type { hen } from "./Hen.ts"\nexport const egg = (from: typeof hen) => from\n`,
    reported: cycles
  }
]

let copy = ""

beforeAll(async () => {
  copy = await makeCopy([])
})
afterAll(() => rm(copy, { recursive: true, force: true }))

describe("the types of core", () => {
  let errors: ReadonlyArray<string> = []

  beforeAll(async () => {
    const source = "export const found = [process, Buffer, document, window, fetch]\n"
    await addSource(copy, { file: globals, source })
    errors = await typeErrors()
    await rm(join(copy, globals))
  })

  it("compile unchanged", () => {
    expect(errors.filter((error) => !error.startsWith(globals))).toEqual([])
  })

  it("contain no types of Node or of browsers", () => {
    const missing = errors.map((error) => /Cannot find name '(\w+)'/.exec(error)?.[1])
    expect(missing).toEqual(["process", "Buffer", "document", "window", "fetch"])
  })
})

describe("dependency rules", () => {
  let clean: Findings
  let broken: Findings

  beforeAll(async () => {
    clean = await findings()
    for (const violation of violations) await addSource(copy, violation)
    broken = await findings()
  })

  it("the workspace follows every rule", () => {
    expect(clean).toEqual({ code: 0, found: [] })
  })

  it.for(violations)("$rule", ({ file, reported }) => {
    expect(broken.code).not.toBe(0)
    expect(broken.found).toContainEqual({ file, rule: reported })
  })
})

const globals = "packages/core/src/Globals.ts"

type Findings = { readonly code: number; readonly found: ReadonlyArray<{ file: string; rule: string }> }

/** What the checker of dependency rules says of the copy. */
const findings = async (): Promise<Findings> => {
  const rules = [imports, cycles].map((rule) => `--only=${rule.replace("lint/", "")}`)
  const command = [tool("@biomejs/biome", "biome"), "lint", ...rules, "--reporter=json", "--max-diagnostics=none", "."]
  const { code, output } = await runNode(command, copy)
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: ReadonlyArray<{ category: string; location: { path: string } }>
  }
  return { code, found: diagnostics.map(({ category, location }) => ({ file: location.path, rule: category })) }
}

/** What the compiler says of core in the copy, a line each, which begins with the file. */
const typeErrors = async (): Promise<ReadonlyArray<string>> => {
  const { code, output } = await runNode(
    [tool("typescript", "tsc"), "-p", "packages/core/tsconfig.json", "--noEmit"],
    copy
  )
  expect(code).not.toBe(0)
  return output.split("\n").filter((line) => line !== "")
}
