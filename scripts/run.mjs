// The entry point of "npm start", "npm test" and "npm run …", on any Node from 18 on. It installs and builds what has
// changed since the last time, and then runs the command with the workspace's Node 24.
import { join, relative, resolve } from "node:path"
import { allPackages, build, declare, generate, isGenerated, outdated, writeReference } from "./build.mjs"
import {
  check,
  lint,
  printDurations,
  runTests,
  summarize,
  types,
  unusedCode,
  withoutLongTests,
  words
} from "./checks.mjs"
import { become, npm, tool, withoutTools, withTools } from "./child.mjs"
import { install, isInstalled, pnpm } from "./install.mjs"
import { withLock } from "./lock.mjs"
import { SetUpError, say } from "./messages.mjs"
import { node } from "./node.mjs"
import { pack } from "./pack.mjs"
import { repositoryVariable } from "./publishedManifest.mjs"
import { release } from "./release.mjs"
import { root, withDependencies } from "./workspace.mjs"

/** @typedef {import("./workspace.mjs").Package} Package */
/** @typedef {(args: ReadonlyArray<string>) => Promise<number | void>} Task answers an exit code; nothing stands for 0 */

/** The package of the command: its bundle contains all packages that it uses. */
const commandLine = withDependencies("@postcode/cli").slice(0, 1)

/** The bill of materials of the installed command, in a standard format for audit tools. */
const billOfMaterials = [
  ...["--yes", pnpm, "--filter=@postcode/cli", "sbom", "--prod"],
  ...["--sbom-format=cyclonedx", "--sbom-spec-version=1.6", "--sbom-type=application"]
]

/** @type {Record<string, Task>} */
const tasks = {
  start: (args) => runCommand(["serve", ...args]),
  postcode: (args) => runCommand(args),
  bench: async (args) => {
    await setUp(withDependencies("@postcode/bench"))
    await become(node(), [join(root, "bench", "run.ts"), ...args], { cwd: callersFolder() })
  },
  // A program of the workspace, with flags of Node before it.
  node: async (args) => {
    await setUp(allPackages())
    await become(node(), args)
  },
  test: (args) =>
    args.length > 0
      ? testsAlone(args)
      : everyCheck([types, lint], [withoutLongTests], { POSTCODE_TEST_CASES: "quarter" }),
  "test:all": () => everyCheck([types, lint, unusedCode, words], [], {}),
  docs: async ([command = "build", ...args]) => {
    await setUp([])
    await writeReference()
    const folder = join(root, "site")
    // Disables telemetry and update checks.
    const env = { ...withTools(), ASTRO_TELEMETRY_DISABLED: "1", ASTRO_DISABLE_UPDATE_CHECK: "true" }
    await become(node(), [tool("astro", "astro", folder), command, ...args], { cwd: folder, env })
  },
  build: async () => {
    await setUp(allPackages())
    await declare()
  },
  format: async (args) => {
    await setUp([])
    await become(node(), [tool("@biomejs/biome", "biome"), "check", "--write", ...args])
  },
  lint: async () => {
    await setUp([])
    return summarize([await lint()])
  },
  typecheck: async () => {
    await setUp([])
    return summarize([await types()])
  },
  words: async () => {
    await setUp([])
    return summarize([await words()])
  },
  unused: async () => {
    await setUp([])
    return summarize([await unusedCode()])
  },
  sbom: async (args) => {
    await setUp([])
    await become(...npm("npx", [...billOfMaterials, ...args]), { env: withoutTools() })
  },
  changeset: async (args) => {
    await setUp([])
    await become(node(), [tool("@changesets/cli", "changeset"), ...args])
  },
  pack: async ([folder]) => {
    if (folder === undefined) throw new SetUpError("Name the folder that the tarballs go to: npm run pack -- FOLDER")
    await setUp(allPackages())
    await pack(resolve(callersFolder(), folder), process.env[repositoryVariable])
  },
  release: async ([folder]) => {
    if (folder === undefined) throw new SetUpError("Name the folder of the tarballs: npm run release -- FOLDER")
    return await release(resolve(callersFolder(), folder))
  }
}

/**
 * Installs and builds what is out of date, one process at a time.
 *
 * @param {ReadonlyArray<Package>} wanted the packages whose bundles are needed
 * @param {import("./install.mjs").Extent} [extent]
 */
const setUp = async (wanted, extent = "everything") => {
  const isComplete = () => extent === "command" || isGenerated()
  if (isInstalled(extent) && isComplete() && outdated(wanted).length === 0) return
  const onWait = () => say("Waiting for another set-up in this folder …")
  await withLock(join(root, ".setup-lock"), onWait, async () => {
    if (!isInstalled(extent)) await install(extent)
    if (!isComplete()) await generate()
    const stale = outdated(wanted)
    if (stale.length > 0) await build(stale)
  })
}

/**
 * The command, in the folder of the caller.
 *
 * @param {ReadonlyArray<string>} args
 */
const runCommand = async (args) => {
  await setUp(commandLine, "command")
  await become(node(), [join(root, "packages", "cli", "dist", "main.js"), ...args], { cwd: callersFolder() })
}

/**
 * @param {ReadonlyArray<() => Promise<import("./checks.mjs").Outcome>>} checks before the tests
 * @param {ReadonlyArray<string>} options of the tests
 * @param {Readonly<Record<string, string>>} env of the tests
 */
const everyCheck = async (checks, options, env) => {
  await setUp([])
  const since = performance.now()
  const outcomes = [
    await check("build", () => setUp(allPackages()).then(() => undefined, setUpFault)),
    ...(await Promise.all(checks.map((run) => run()))),
    await runTests(options, [], env)
  ]
  printDurations(outcomes, performance.now() - since)
  return summarize(outcomes)
}

/** @param {unknown} error */
const setUpFault = (error) => {
  if (error instanceof SetUpError) return error.message
  throw error
}

/** @param {ReadonlyArray<string>} filters */
const testsAlone = async (filters) => {
  await setUp(allPackages())
  return summarize([await runTests([], filters)])
}

/** npm runs every script in the workspace's root and passes the caller's folder in a variable. */
const callersFolder = () => {
  const here = process.cwd()
  return relative(root, here) === "" ? (process.env.INIT_CWD ?? here) : here
}

const [name = "", ...args] = process.argv.slice(2)
const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
try {
  if (!task) throw new SetUpError(`There is no task called ${name}. The tasks are ${Object.keys(tasks).join(", ")}.`)
  process.exitCode = (await task(args)) ?? 0
} catch (error) {
  say(error instanceof SetUpError ? error.message : String(error instanceof Error ? error.stack : error))
  process.exitCode = task ? 1 : 2
  if (name.startsWith("test")) summarize([{ passed: 0, failed: 1 }])
}
