/** Where the examples of the documentation are run. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../../scripts/workspace.mjs"
import type { Example } from "../markdown/MarkdownExamples.ts"
import { withoutSettingUp } from "../markdown/ShellCommands.ts"
import { requireBuilt } from "../RequireBuilt.ts"
import { databaseFor, ownEnvironment, startService } from "./DemonstrationService.ts"

export const commandLine = join(root, "packages", "cli", "dist", "main.js")

export interface ExampleSession {
  /**
   * Runs an example of a file and answers its standard output; fails if it does not end well. Those of one file share a
   * folder, and know what the ones before exported.
   */
  readonly run: (example: Example, file: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** A started service, and folders to run examples in, with every package at hand. */
export const openExampleSession = async (): Promise<ExampleSession> => {
  requireBuilt()
  const folder = await mkdtemp(join(tmpdir(), "examples-"))
  await installPackages(folder)
  // All load the same modules: the first to do so leaves them compiled.
  const ownFolders = {
    NODE_COMPILE_CACHE: join(folder, "compiled"),
    XDG_CONFIG_HOME: join(folder, "configuration"),
    XDG_CACHE_HOME: join(folder, "cache")
  }
  const service = await startService([commandLine], { ...ownEnvironment(), ...ownFolders })
  const environments = new Map<string, NodeJS.ProcessEnv>()
  const environmentOf = (file: string): NodeJS.ProcessEnv => {
    const known = environments.get(file)
    const env = known ?? { ...ownEnvironment(), ...ownFolders, ...service.secrets, POSTCODE_URL: service.url }
    environments.set(file, env)
    return env
  }

  const runProgram = async (code: string, { cwd, env }: Place) => {
    const program = code.replace(".listen(8080,", ".listen(0,").replaceAll("http://127.0.0.1:3000", service.url)
    const name = programNameOf(code) ?? "example.ts"
    await writeFile(join(cwd, name), program)
    await using database = await databaseFor(code)
    const all = { ...env, ...database.env }
    return await outputOf(process.execPath, [name], cwd, all, code.includes("SIGTERM"))
  }

  const runShell = async (code: string, { cwd, env }: Place) => {
    const exported = [...code.matchAll(/^export ([A-Z_]+)=/gm)].map(([, name = ""]) => name)
    const kept = exported.map((name) => `printf %s "$${name}" > "${join(cwd, `exported-${name}`)}"`)
    const commands = withoutSettingUp(code).replaceAll(/http:\/\/127\.0\.0\.1:(3000|8080)/g, service.url)
    const output = await outputOf("sh", ["-e", "-c", [shellFunctions, commands, ...kept].join("\n")], cwd, env)
    for (const name of exported) env[name] = await readFile(join(cwd, `exported-${name}`), "utf8")
    rememberIds(output, env)
    return output
  }

  return {
    run: async ({ code, language }, file) => {
      const cwd = join(folder, file.replaceAll("/", "-"))
      await mkdir(cwd, { recursive: true })
      if (file.startsWith("examples/")) await placeExample(file.split("/")[1] ?? "", cwd)
      const place = { cwd, env: environmentOf(file) }
      return await (language === "ts" ? runProgram(code, place) : runShell(code, place))
    },
    close: async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Where the examples of a file are run. What they make known to later ones is put into `env`. */
interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

const installPackages = async (folder: string): Promise<void> => {
  const modules = join(folder, "node_modules")
  await mkdir(join(modules, "@postcode"), { recursive: true })
  for (const name of await readdir(join(root, "packages")))
    await symlink(join(root, "packages", name), join(modules, "@postcode", name))
  await symlink(join(root, "node_modules", "effect"), join(modules, "effect"))
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
}

/** Puts the files of an example into a folder of its own, which it may write into. */
const placeExample = async (name: string, cwd: string): Promise<void> => {
  const place = join(cwd, "examples", name)
  if (existsSync(place)) return
  await mkdir(place, { recursive: true })
  for (const entry of await readdir(join(root, "examples", name)))
    await symlink(join(root, "examples", name, entry), join(place, entry))
}

/** `npm run -s postcode -- …`, and `npm run -s start -- …` of an example. */
export const shellFunctions = `npm() {
  shift 2
  case $1 in
    postcode) script="${commandLine}" ;;
    start) script=main.ts ;;
    *) return 2 ;;
  esac
  shift
  if [ "$1" = -- ]; then shift; fi
  "${process.execPath}" "$script" "$@"
}
postcode() { "${process.execPath}" "${commandLine}" "$@"; }
npx() { "$@"; }
node() { "${process.execPath}" "$@"; }`

/** The name of a program that later commands of its page start: `// check-orders.ts` as the first line. */
const programNameOf = (code: string): string | undefined => /^\/\/ ([\w-]+\.ts)\n/.exec(code)?.[1]

/** The documentation says: below, `$ORG` is the id of that answer. */
export const rememberIds = (output: string, env: NodeJS.ProcessEnv): void => {
  const names: Record<string, string> = { org: "ORG", key: "KEY_ID", acr: "REQUEST", usr: "END_USER", whk: "WEBHOOK" }
  const [, id, kind = ""] = /^(?:\{(?:"data":\{)?"id":"|id +)((org|key|acr|usr|whk)_\w+)/.exec(output) ?? []
  const [, secret] = /"secret":"(\w+)"/.exec(output) ?? []
  if (id !== undefined) env[names[kind] as string] = id
  if (secret !== undefined) env.NEW_KEY = secret
  const [, token] = /"token":"([\w.-]+)"/.exec(output) ?? []
  if (token !== undefined) env.SESSION = token
}

/** Runs a program and answers its standard output. One that runs until it is stopped is stopped once it says something. */
export const outputOf = (
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
