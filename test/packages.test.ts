// Every published package as others get it: looked at as a tarball, and used where npm installed it.
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, posix, relative } from "node:path"
import { promisify } from "node:util"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { build } from "esbuild"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../packages/widget/test/Browser.ts"
import { listen } from "../packages/widget/test/Listening.ts"
import { run, tool } from "../scripts/child.mjs"
import { root } from "../scripts/workspace.mjs"
import { type DemonstrationService, databaseFor, ownEnvironment, startService } from "./DemonstrationService.ts"
import { type Installed, type InstalledPackages, installPackages, publishedNames } from "./InstalledPackages.ts"
import { type Example, examplesIn, isAnsweredBy } from "./MarkdownExamples.ts"

let user: InstalledPackages
let service: DemonstrationService
beforeAll(async () => {
  user = await installPackages()
  service = await startService([join(user.folder, "node_modules", ".bin", "postcode")], ownEnvironment())
}, 300_000)
afterAll(async () => {
  await service?.stop()
  await user?.remove()
})

const installed = (name: string): Installed => {
  const found = user.packages.find(({ manifest }) => manifest.name === name)
  if (found === undefined) throw new Error(`npm did not install ${name}`)
  return found
}

describe.for(publishedNames)("the tarball of %s", (name) => {
  let files: ReadonlyMap<string, string>
  beforeAll(async () => {
    files = await filesIn(installed(name).tarball)
  })

  it("has README, licence and what is built, and nothing of the workshop", () => {
    expect(files.get("LICENSE")).toBe(readFileSync(join(root, "LICENSE"), "utf8"))
    expect(files.get("README.md")).toMatch(new RegExp(`^# ${name}\n`))
    const known =
      /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|custom-elements\.json|dist\/.+\.(js|d\.ts)(\.map)?|src\/.+\.(css|ts))$/
    expect([...files.keys()].filter((file) => !known.test(file) || /(^|\/)test\/|\.test\./.test(file))).toEqual([])
  })

  it("has a declaration for each module, and no other one, but for programs and bundles", () => {
    const ofModules = (ending: string) =>
      [...files.keys()]
        .filter((file) => file.startsWith("dist/") && !file.startsWith("dist/bundle/") && file.endsWith(ending))
        .map((file) => file.slice(0, -ending.length))
        .sort()
    expect(ofModules(".d.ts")).toEqual(installed(name).manifest.exports === undefined ? [] : ofModules(".js"))
  })

  it("has the sources that its maps name", () => {
    const maps = [...files].filter(([file]) => file.endsWith(".map"))
    const missing = maps.flatMap(([file, text]) => {
      const { sources } = JSON.parse(text) as { readonly sources: ReadonlyArray<string> }
      return sources.filter((source) => !files.has(posix.join(posix.dirname(file), source)))
    })
    expect(missing).toEqual([])
  })

  it("asks for exact versions of its neighbours, and leads nobody to sources", () => {
    const manifest = files.get("package.json") ?? ""
    expect(manifest).not.toMatch(/workspace:|@postcode\/source|devDependencies|"scripts"/)
    const { dependencies = {}, version } = JSON.parse(manifest)
    for (const neighbour of publishedNames) expect([undefined, version]).toContain(dependencies[neighbour])
  })

  it("is right for publint", async () => {
    const { messages, pkg } = await publint({ pack: { tarball: await bytesOf(name) }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it("is right for arethetypeswrong, as ES modules", async () => {
    const { exports } = installed(name).manifest
    if (exports === undefined) return
    const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(await bytesOf(name))))
    if (!checked.types) throw new Error("there are no types")
    const ofOldModules = new Set(["node10", "node16-cjs"])
    expect(
      checked.problems.filter((one) => !("resolutionKind" in one && ofOldModules.has(one.resolutionKind)))
    ).toEqual([])
    const plain = Object.keys(exports).filter((entry) => !entry.includes("*"))
    expect(Object.keys(checked.entrypoints)).toEqual(expect.arrayContaining(plain))
  })
})

describe("the types", () => {
  it.for([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"]
  ])("of every export and example hold under %s, libraries included", async ([moduleResolution = "", module]) => {
    const entries = user.packages.flatMap((one) => one.entries)
    const all = entries.map((entry, i) => `import * as entry${i} from "${entry}"\nvoid entry${i}\n`)
    const examples = user.packages.flatMap((one) => examplesOf(one).filter(({ language }) => language === "ts"))
    const sources = [all.join(""), ...examples.map(({ code }) => code)]
    const folder = join(user.folder, moduleResolution)
    await mkdir(folder)
    await Promise.all(sources.map((source, i) => writeFile(join(folder, `${i}.ts`), source)))
    // Effect's own types need those of browsers.
    const around = { target: "es2023", lib: ["es2023", "dom"], types: ["node"], module, moduleResolution }
    const compilerOptions = { ...around, strict: true, skipLibCheck: false, noEmit: true }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
    expect(entries.length).toBeGreaterThan(100)
    expect((await run(process.execPath, [tool("typescript", "tsc"), "-p", folder])).output).toBe("")
  })
})

describe("on Node 24", () => {
  it("every export can be imported", async () => {
    // What needs vitest to run is below.
    const entries = user.packages.flatMap((one) => one.entries).filter((entry) => !entry.includes("/testing"))
    const program = entries.map((entry) => `await import("${entry}")\n`).join("")
    expect(await ran([process.execPath, "--input-type=module", "--eval", program])).toBe("")
  })

  it.for(publishedNames.filter((name) => name !== "@postcode/widget"))(
    "the examples in the README of %s answer what it says",
    async (name) => {
      const examples = examplesOf(installed(name))
      for (const example of examples) {
        const output = await (example.language === "ts" ? runProgram(example, name) : runShell(example))
        if (example.answer !== undefined)
          expect(isAnsweredBy(example.answer, output), `it answered:\n${output}`).toBe(true)
      }
      expect(examples.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(0)
    }
  )

  it("the command says how it is used, and the service that it starts is well", async () => {
    expect(await ran(["npx", "--no-install", "postcode", "--help"])).toMatch(/\bserve\b/)
    expect((await fetch(`${service.url}/v1/health/ready`)).status).toBe(200)
    expect((await fetch(`${service.url}/console/`)).status).toBe(200)
  })

  it("a store's author can run the conformance suites", async () => {
    await writeFile(join(user.folder, "store.test.ts"), conformance)
    const vitest = join("node_modules", "vitest", "vitest.mjs")
    const some = "Organizations of mine|golden vector"
    const output = await ran([process.execPath, vitest, "run", "-t", some], { NO_COLOR: "1" })
    expect(output).toMatch(/Tests {2}\d+ passed/)
  })
})

describe("bundled for Chromium", () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  /** What a page with a form says on its console while it loads a program, and which fields the form has then. */
  const openedWith = async (program: string) => {
    const site = await listen(({ url }, response) => {
      const [type, text] = url === "/program.js" ? ["text/javascript", program] : ["text/html", "<form></form>"]
      response.writeHead(200, { "content-type": type }).end(text)
    })
    const page = await browser.newPage()
    try {
      const lines: Array<string> = []
      page.on("console", (message) => lines.push(message.text()))
      await page.goto(site.url)
      await page.evaluate("import('/program.js')")
      const fields = await page.evaluate("Array.from(document.forms[0].elements, (field) => field.localName)")
      return { shown: lines.join("\n"), fields }
    } finally {
      await Promise.all([page.close(), site.close()])
    }
  }

  it.for(["@postcode/core", "@postcode/client"])(
    "the examples in the README of %s answer what it says",
    async (name) => {
      const examples = examplesOf(installed(name)).filter(({ language }) => language === "ts")
      for (const example of examples) {
        const { shown } = await openedWith(await bundled(example.code))
        if (example.answer !== undefined)
          expect(isAnsweredBy(example.answer, shown), `it answered:\n${shown}`).toBe(true)
      }
      expect(examples.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(0)
    }
  )
})

/** The package's file as its users see it, not the one that stands in the workspace. */
const examplesOf = ({ folder }: Installed): ReadonlyArray<Example> =>
  examplesIn(readFileSync(join(folder, "README.md"), "utf8"))

/** An example that asks the service that was started here. */
const addressed = (code: string): string => code.replaceAll("http://127.0.0.1:3000", service.url)

const runProgram = async ({ code, line }: Example, name: string): Promise<string> => {
  const file = join(user.folder, `${name.replace("/", "-")}-${line}.ts`)
  await writeFile(file, addressed(code))
  await using database = await databaseFor(code)
  return await ran([process.execPath, file], database.env)
}

const runShell = ({ code }: Example): Promise<string> =>
  /^npm install /.test(code) ? Promise.resolve("") : ran(["sh", "-e", "-c", addressed(code)])

/** What a program writes to standard output. One that fails is an error with all that it wrote. */
const ran = async ([program = "", ...args]: ReadonlyArray<string>, more: NodeJS.ProcessEnv = {}): Promise<string> => {
  const PATH = `${join(user.folder, "node_modules", ".bin")}:${dirname(process.execPath)}:${process.env.PATH}`
  const env = { ...ownEnvironment(), ...service.secrets, ...more, PATH }
  const { stdout } = await promisify(execFile)(program, args, { cwd: user.folder, env })
  return stdout
}

const bundled = async (code: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: addressed(code), resolveDir: user.folder, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    define: { "process.env.POSTCODE_KEY": JSON.stringify(service.secrets.POSTCODE_KEY) },
    write: false
  })
  return outputFiles[0]?.text ?? ""
}

const bytesOf = async (name: string): Promise<ArrayBuffer> => {
  const { buffer, byteLength, byteOffset } = await readFile(installed(name).tarball)
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength)
}

/** The text of each file, by its path in the package. */
const filesIn = async (tarball: string): Promise<ReadonlyMap<string, string>> => {
  const place = `${tarball}.unpacked`
  await mkdir(place)
  await run("tar", ["-xzf", tarball, "-C", place])
  const { output } = await run("tar", ["-tzf", tarball])
  const paths = output.trim().split("\n")
  const files = paths.map(
    async (path) => [relative("package", path), await readFile(join(place, path), "utf8")] as const
  )
  return new Map(await Promise.all(files))
}

/** A test file of somebody who brings a store: the memory adapter stands for theirs. */
const conformance = `
import { organizationsSuite } from "@postcode/core/testing/OrganizationsSuite"
import { gatewaySuite } from "@postcode/http/testing"
import { layerDirectory, MemoryStore } from "@postcode/memory"
import { Layer } from "effect"

organizationsSuite("of mine", MemoryStore.layer)
gatewaySuite("on my store", ({ attributesOf, directory }) =>
  Layer.merge(MemoryStore.layer, layerDirectory(directory, (_, postcode) => attributesOf(postcode)))
)
`
