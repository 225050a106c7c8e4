// What the build makes of the sources, and when it makes it again: on one copy of the workspace, which every test
// finds built and leaves built.
import { spawn } from "node:child_process"
import { access, appendFile, constants, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeFixtureDatabase } from "../../drills/kit/FixtureDatabase.ts"
import { environmentOn } from "../../drills/kit/Installation.ts"
import { makeCopy, runNode } from "../workspace/WorkspaceCopy.ts"

const libraries = ["@postcode/core", "@postcode/demo", "@postcode/gateway", "@postcode/memory"]

let copy: string

beforeAll(async () => {
  copy = await makeCopy([])
  await build([...libraries, "@postcode/cli"])
})

afterAll(() => rm(copy, { recursive: true, force: true }))

describe("the build of a library", () => {
  it("makes exactly one module of each source file", async () => {
    const sources = await filesBelow(join(copy, "packages/core/src"))
    const modules = (await filesBelow(join(copy, "packages/core/dist"))).filter((file) => file.endsWith(".js"))
    expect(modules).toEqual(sources.map((file) => file.replace(/\.ts$/, ".js")))
  })

  it("leaves Postcode.js without a single import", async () => {
    const built = await readFile(join(copy, "packages/core/dist/postcode/Postcode.js"), "utf8")
    expect(built).not.toMatch(/^\s*(import|export .* from)\b|\bimport\(/m)
  })
})

describe("the build of a program", () => {
  it("makes a command that runs without installed packages, with worker threads", async () => {
    const bare = await mkdtemp(join(tmpdir(), "bare-"))
    try {
      await cp(join(copy, "packages/cli/package.json"), join(bare, "package.json"))
      await cp(join(copy, "packages/cli/dist"), join(bare, "dist"), { recursive: true })
      const main = join(bare, "dist/main.js")
      await access(main, constants.X_OK)
      expect(await readFile(main, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/)
      expect(await runNode([main, "--version"], bare)).toMatchObject({ code: 0 })
      const { drop, url } = await makeFixtureDatabase()
      expect(await startAndStop(main, ["serve", "--workers", "2", "--port", "0"], environmentOn(url))).toBe(0)
      await drop()
    } finally {
      await rm(bare, { recursive: true, force: true })
    }
  })
})

describe("a second build", () => {
  it("builds nothing if nothing has changed", async () => {
    expect(await build()).toEqual([])
  })

  it("builds changed packages, and removes modules without a source", async () => {
    await writeFile(join(copy, "packages/demo/src/Passing.ts"), "export const passing = 1\n")
    expect(await build()).toEqual(["@postcode/demo"])
    await access(join(copy, "packages/demo/dist/Passing.js"))

    await rm(join(copy, "packages/demo/src/Passing.ts"))
    expect(await build()).toEqual(["@postcode/demo"])
    await expect(access(join(copy, "packages/demo/dist/Passing.js"))).rejects.toThrow("ENOENT")
  })

  it("builds all packages that depend on a changed one", async () => {
    await appendFile(join(copy, "packages/core/package.json"), "\n")
    expect(await build()).toEqual(libraries)
  })

  it("builds missing packages", async () => {
    await rm(join(copy, "packages/memory/dist"), { recursive: true })
    expect(await build()).toEqual(["@postcode/memory"])
  })

  it("that fails names the package and the place, and succeeds after the fault is fixed", async () => {
    const file = join(copy, "packages/memory/src/Broken.ts")
    await writeFile(file, "export const = 1\n")
    await expect(build()).rejects.toThrow(/@postcode\/memory does not build:[\s\S]*src\/Broken\.ts:1:13/)
    await rm(file)
    // The demonstration depends on it, and was not built.
    expect(await build()).toEqual(["@postcode/demo", "@postcode/memory"])
  })
})

/** Builds those of these packages that are out of date, and answers their names. */
const build = async (names = libraries): Promise<ReadonlyArray<string>> => {
  const program = `
    const { allPackages, build, outdated } = await import("./scripts/bundles.mjs")
    const wanted = outdated(allPackages().filter(({ name }) => ${JSON.stringify(names)}.includes(name)))
    try {
      if (wanted.length > 0) await build(wanted)
      console.log(JSON.stringify(wanted.map(({ name }) => name)))
    } catch ({ message }) {
      console.log(message)
      process.exitCode = 1
    }`
  const { code, output } = await runNode(["--input-type=module", "--eval", program], copy)
  if (code !== 0) throw new Error(output)
  return JSON.parse(output)
}

/** Starts the service, stops it once it is ready, and answers its exit code. */
const startAndStop = (
  main: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ...env }
    })
    let said = ""
    child.stderr.on("data", (chunk) => {
      said += chunk
      if (/^ready /m.test(said)) child.kill("SIGTERM")
    })
    child.once("close", resolve)
  })

const filesBelow = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()
}
