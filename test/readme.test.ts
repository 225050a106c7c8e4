// What the documentation shows is run, and its answers compared: shell examples by sh and curl against a started
// service, TypeScript examples by node. With UPDATE_DOCS=1 the answers that have changed are written into the files.
import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OpenApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../packages/api/src/Api.ts"
import { root } from "../scripts/workspace.mjs"
import { databaseFor, ownEnvironment, startService } from "./DemonstrationService.ts"
import { type Example, examplesIn, generalized, isAnsweredBy, withAnswers } from "./MarkdownExamples.ts"

const updates = process.env.UPDATE_DOCS === "1"
const read = (file: string): string => readFileSync(join(root, file), "utf8")

const markdownIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.name.endsWith(".md") && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))

const packageReadmes = readdirSync(join(root, "packages"))
  .map((name) => `packages/${name}/README.md`)
  .filter((file) => existsSync(join(root, file)))

/** What packages export is shown there in their own words, which the compiler has read. */
const declarations = "docs/reference/api/"

const documents = ["README.md", ...markdownIn("docs"), ...packageReadmes].filter(
  (file) => !file.startsWith(declarations) && examplesIn(read(file)).length > 0
)

let session: Session
beforeAll(async () => {
  session = await openSession()
})
afterAll(() => session.close())

describe.for(documents)("%s", (file) => {
  const examples = examplesIn(read(file))
  const outputs = new Map<Example, string>()

  afterAll(() => {
    if (updates) writeFileSync(join(root, file), withAnswers(read(file), outputs))
  })

  it.for(examples.filter(isRun).map((example) => [nameOf(example), example] as const))("%s", async ([, example]) => {
    const output = await session.run(example)
    if (example.answer === undefined) return
    if (!updates) expect(isAnsweredBy(example.answer, output), `it answered:\n${generalized(output)}`).toBe(true)
    else if (example.answer.language === "json" || !isAnswered(example, output)) outputs.set(example, output)
  })

  it("shows no command that is not run here, but for setting up", () => {
    const others = examples.filter((example) => !isRun(example)).flatMap(({ code }) => commandsOf(code))
    expect(others.filter((command) => !setUp.test(command))).toEqual([])
  })
})

it("docs/http.md shows every endpoint of the contract, and no other", () => {
  const documented = [...read("docs/http.md").matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\w/{}.-]+)/g)]
  const contract = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  )
  const documents = ["GET /v1/openapi.json", "GET /v1/docs"]
  expect([...new Set(documented.map(([endpoint]) => endpoint))].sort()).toEqual([...contract, ...documents].sort())
})

it("docs/configuration.md has every flag and variable of postcode serve, and no other", async () => {
  const help = await outputOf(process.execPath, [fromSources, commandLine, "serve", "--help"], root, process.env)
  const named = (text: string) => [...new Set(text.match(/(?<=[ `[])(--[a-z-]+|POSTCODE_[A-Z_]+)/g))].sort()
  expect(named(read("docs/configuration.md"))).toEqual(named(help))
})

it("docs/adr/README.md lists every decision by its title", () => {
  const files = markdownIn("docs/adr").filter((file) => !file.endsWith("README.md"))
  const titles = files.map((file) => `- [${read(file).split("\n")[0]?.slice(2)}](${file.slice("docs/adr/".length)})`)
  expect(
    read("docs/adr/README.md")
      .split("\n")
      .filter((line) => line.startsWith("- "))
      .sort()
  ).toEqual(titles.sort())
})

/** The commands of a shell example: without comments, and each on one line. */
const commandsOf = (code: string): ReadonlyArray<string> =>
  code
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))

const runnable = /^(export [A-Z_]+=\$\()?(curl|printf|mkdir -p|postcode|npm run -s postcode --) (?!serve(?! --help))/
const setUp =
  /^(npm (start|test|install|run (build|bench|-s bench))\b|(npm run -s )?postcode (-- )?serve|export [A-Z_]+=(?!\$\())/

const isRun = ({ code, language }: Example): boolean =>
  language === "ts" || commandsOf(code).every((command) => runnable.test(command))

const nameOf = ({ code, language, line }: Example): string =>
  `line ${line}: ${language === "ts" ? "the program" : (commandsOf(code)[0] ?? "").slice(0, 80)}`

const isAnswered = ({ answer }: Example, output: string): boolean => {
  try {
    return answer === undefined || isAnsweredBy(answer, output)
  } catch {
    return false
  }
}

interface Session {
  /** Runs an example and answers its standard output; fails if it does not end well. */
  readonly run: (example: Example) => Promise<string>
  readonly close: () => Promise<void>
}

const fromSources = "--conditions=@postcode/source"
const commandLine = join(root, "packages", "cli", "src", "main.ts")

/** A started service, and a folder to run examples in, with every package at hand. */
const openSession = async (): Promise<Session> => {
  const folder = await mkdtemp(join(tmpdir(), "examples-"))
  await mkdir(join(folder, "node_modules", "@postcode"), { recursive: true })
  for (const name of readdirSync(join(root, "packages")))
    await symlink(join(root, "packages", name), join(folder, "node_modules", "@postcode", name))
  await symlink(join(root, "node_modules", "effect"), join(folder, "node_modules", "effect"))
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
  // All load the same modules: the first to do so leaves them compiled.
  const cache = { NODE_COMPILE_CACHE: join(folder, "compiled") }
  const service = await startService([fromSources, commandLine], { ...ownEnvironment(), ...cache })
  const env: NodeJS.ProcessEnv = { ...ownEnvironment(), ...cache, ...service.secrets, POSTCODE_URL: service.url }

  const runProgram = async (code: string) => {
    const program = code.replace(".listen(8080,", ".listen(0,").replaceAll("http://127.0.0.1:3000", service.url)
    await writeFile(join(folder, "example.ts"), program)
    await using database = await databaseFor(code)
    const all = { ...env, ...database.env }
    return await outputOf(process.execPath, [fromSources, "example.ts"], folder, all, code.includes("SIGTERM"))
  }

  const runShell = async (code: string) => {
    const command = `postcode() { "${process.execPath}" ${fromSources} "${commandLine}" "$@"; }`
    const commands = code
      .replaceAll("http://127.0.0.1:3000", service.url)
      .replaceAll("npm run -s postcode --", "postcode")
    const exports = [...code.matchAll(/^export ([A-Z_]+)=/gm)].map(([, name = ""]) => name)
    const kept = exports.map((name) => `printf %s "$${name}" > exported-${name}`)
    const output = await outputOf("sh", ["-e", "-c", [command, commands, ...kept].join("\n")], folder, env)
    for (const name of exports) env[name] = await readFile(join(folder, `exported-${name}`), "utf8")
    rememberIds(output, env)
    return output
  }

  return {
    run: ({ code, language }) => (language === "ts" ? runProgram(code) : runShell(code)),
    close: async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** The documentation says: below, `$ORG` is the id of that answer. */
const rememberIds = (output: string, env: NodeJS.ProcessEnv): void => {
  const names: Record<string, string> = { org: "ORG", key: "KEY_ID", acr: "REQUEST", usr: "END_USER", whk: "WEBHOOK" }
  const [, id, kind = ""] = /^(?:\{(?:"data":\{)?"id":"|id +)((org|key|acr|usr|whk)_\w+)/.exec(output) ?? []
  const [, secret] = /"secret":"(\w+)"/.exec(output) ?? []
  if (id !== undefined) env[names[kind] as string] = id
  if (secret !== undefined) env.NEW_KEY = secret
  const [, token] = /"token":"([\w.-]+)"/.exec(output) ?? []
  if (token !== undefined) env.SESSION = token
}

/** Runs a program and answers its standard output. One that runs until it is stopped is stopped once it says something. */
const outputOf = (
  program: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: NodeJS.ProcessEnv,
  runsUntilStopped = false
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile(program, [...args], { cwd, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${error.message}\n${stdout}${stderr}`))
    })
    if (runsUntilStopped) child.stdout?.once("data", () => child.kill("SIGTERM"))
  })
