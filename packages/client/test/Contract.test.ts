/** The generated types: they are what the generator gives now, and they are those of the contract, call for call. */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { tool } from "../../../scripts/child.mjs"
import { root } from "../../../scripts/workspace.mjs"
import type { Held } from "./ContractTypes.ts"
import { generateContract } from "./generateContract.ts"

const file = join(root, "packages", "client", "src", "Contract.ts")

it("the types are those of the contract, call for call: else this would not compile", () => {
  const held: Held = [true, true, true, true, true]
  expect(held).not.toContain(false)
})

it("src/Contract.ts is what the generator makes of the contract", () => {
  const generated = formatted(generateContract())
  if (process.env.UPDATE_DOCS === "1") writeFileSync(file, generated)
  expect(readFileSync(file, "utf8"), "the contract has changed: see the head of the file").toBe(generated)
})

const formatted = (source: string): string =>
  execFileSync(process.execPath, [tool("@biomejs/biome", "biome"), "format", `--stdin-file-path=${file}`], {
    cwd: root,
    input: source,
    encoding: "utf8"
  })
