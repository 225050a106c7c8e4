// The entry point of "npm start", "npm test" and "npm run …", on any Node from 18 on. It installs and builds what has
// changed since the last time, and then runs the command with the workspace's Node 24.
import { join, relative, resolve } from "node:path"
import { allPackages, build, declare, outdated } from "./build.mjs"
import {
  dependencies,
  lint,
  printDurations,
  report,
  runChecks,
  runTests,
  summarize,
  types,
  unusedCode,
  withoutLongTests
} from "./checks.mjs"
import { become, npm, run, tool, withoutTools, withTools } from "./child.mjs"
import { install, isInstalled, pnpm } from "./install.mjs"
import { withLock } from "./lock.mjs"
import { SetUpError, say, secondsSince } from "./messages.mjs"
import { node } from "./node.mjs"
import { pack } from "./pack.mjs"
import { repositoryVariable } from "./publishedManifest.mjs"
import { release } from "./release.mjs"
import { root, withDependencies } from "./workspace.mjs"

/** @typedef {import("./workspace.mjs").Package} Package */
/** @typedef {(args: ReadonlyArray<string>) => Promise<number | void>} Task answers an exit code; nothing stands for 0 */

const help = `Usage: npm run <task> [-- arguments]

  npm start -- [flags]        runs the service; flags as in "postcode serve --help"
  npm test                    build, types, lint and format, unused code, dependency rules, then the tests;
                              every step runs, then come the seconds of each, and the last line
                              is "N passed, N failed"
  npm test -- [filters]       only the tests that match, long ones included: a part of a file's path,
                              or any flag of vitest, such as -t "part of a test's name"
  npm run test:all            the same as "npm test", and the long tests (*.long.test.ts)
  npm run -s postcode -- …    the postcode command; relative paths count from where you are
  npm run -s bench -- NAME …  a benchmark, on the built packages
  npm run chaos -- --seconds N --seed S
                              credits while replicas and PostgreSQL are killed; 180 s unless told
  npm run timing -- --pairs N --seed S
                              whether the time of an answer tells who has an account; 12,000 pairs unless told
  npm run fuzz -- --requests N --seed S --store memory|postgres
                              every endpoint under hostile input; 200,000 requests in memory unless told
  npm run -s docs -- build    the documentation as a site, into site/dist; flags as in "astro build --help"
  npm run docs -- dev         the same while writing it: shown at once, and again after every change
  npm run build               bundles and declarations of every package
  npm run format              formats, sorts imports and applies the safe fixes, in place
  npm run lint                lint, format and dependency rules alone
  npm run typecheck           types alone
  npm run -s sbom             the bill of materials of the command as it is published, in CycloneDX 1.6
  npm run changeset           describes a change for the next release
  npm run pack -- FOLDER      packs every published package, as npm gets it
  npm run release -- FOLDER   publishes what was packed; the workflow "release" does it

Dependencies are installed, and packages built, only when something they are made from has changed.
Messages go to standard error. Standard output is the command's own.
`

/** The package of the command: its bundle contains all packages that it uses. */
const commandLine = withDependencies("@postcode/cli").slice(0, 1)
const main = join(root, "packages", "cli", "dist", "main.js")

/** The bill of materials of the installed command, in a standard format for audit tools. */
const billOfMaterials = [
  ...["--yes", pnpm, "--filter=@postcode/cli", "sbom", "--prod"],
  ...["--sbom-format=cyclonedx", "--sbom-spec-version=1.6", "--sbom-type=application"]
]

/**
 * A test of the command with a configurable duration.
 *
 * @param {"chaos" | "timing" | "fuzz"} name
 * @returns {Task}
 */
const onDemand = (name) => async (args) => {
  await setUp(allPackages())
  const main = join(root, "packages", "cli", "test", name, "main.ts")
  await become(node(), ["--conditions=@postcode/source", main, ...args])
}

/** @type {Record<string, Task>} */
const tasks = {
  start: async (args) => {
    await setUp(commandLine, "command")
    await become(node(), [main, "serve", ...args], { cwd: callersFolder() })
  },
  postcode: async (args) => {
    await setUp(commandLine, "command")
    await become(node(), [main, ...args], { cwd: callersFolder() })
  },
  bench: async (args) => {
    await setUp(withDependencies("@postcode/bench"))
    await become(node(), [join(root, "bench", "run.ts"), ...args], { cwd: callersFolder() })
  },
  test: (args) => (args.length > 0 ? testsAlone(args) : everyCheck([withoutLongTests])),
  "test:all": () => everyCheck([]),
  chaos: onDemand("chaos"),
  timing: onDemand("timing"),
  fuzz: onDemand("fuzz"),
  docs: async ([command = "build", ...args]) => {
    await setUp([])
    const folder = join(root, "site")
    // Disables telemetry and update checks.
    const env = { ...withTools(), ASTRO_TELEMETRY_DISABLED: "1", ASTRO_DISABLE_UPDATE_CHECK: "true" }
    await become(node(), [tool("astro", "astro", folder), command, ...args], { cwd: folder, env })
  },
  build: async () => {
    await setUp(allPackages())
    const since = performance.now()
    await declare()
    say(`Declarations are up to date, ${secondsSince(since)}.`)
  },
  format: async (args) => {
    await setUp([])
    const what = args.length > 0 ? args : ["."]
    await become(node(), [tool("@biomejs/biome", "biome"), "check", "--write", ...what])
  },
  lint: async () => {
    await setUp([])
    return summarize([await runChecks([lint(), dependencies()])])
  },
  typecheck: async () => {
    await setUp([])
    return summarize([await runChecks([types()])])
  },
  sbom: async (args) => {
    await setUp([])
    const command = [...billOfMaterials, ...args]
    return (await run(...npm("npx", command), { env: withoutTools(), show: true })).code
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
  },
  help: async () => {
    process.stdout.write(help)
  }
}

/**
 * Installs and builds what is out of date, one process at a time.
 *
 * @param {ReadonlyArray<Package>} wanted the packages whose bundles are needed
 * @param {import("./install.mjs").Extent} [extent]
 */
const setUp = async (wanted, extent = "everything") => {
  if (isInstalled(extent) && outdated(wanted).length === 0) return
  const onWait = () => say("Waiting for another set-up in this folder …")
  await withLock(join(root, ".setup-lock"), onWait, async () => {
    if (!isInstalled(extent)) await install(extent)
    const stale = outdated(wanted)
    if (stale.length > 0) await build(stale)
  })
}

/** @param {ReadonlyArray<string>} options of the tests */
const everyCheck = async (options) => {
  await setUp([])
  const since = performance.now()
  const outcomes = [
    await checkBuild(),
    await runChecks([types(), lint(), unusedCode(), dependencies()]),
    await runTests(options, [])
  ]
  printDurations(outcomes, performance.now() - since)
  return summarize(outcomes)
}

/** @param {ReadonlyArray<string>} filters */
const testsAlone = async (filters) => {
  await setUp(allPackages())
  return summarize([await runTests([], filters)])
}

const checkBuild = async () => {
  const since = performance.now()
  let failed = 0
  try {
    await setUp(allPackages())
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error
    say(error.message)
    failed = 1
  }
  const time_ms = performance.now() - since
  report("build", failed === 0, time_ms)
  return { passed: 1 - failed, failed, durations: [{ part: "build", time_ms }] }
}

/** npm runs every script in the workspace's root and passes the caller's folder in a variable. */
const callersFolder = () => {
  const here = process.cwd()
  return relative(root, here) === "" ? (process.env.INIT_CWD ?? here) : here
}

const [name = "help", ...args] = process.argv.slice(2)
const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
try {
  if (!task) throw new SetUpError(`There is no task called ${name}.\n\n${help}`)
  process.exitCode = (await task(args)) ?? 0
} catch (error) {
  say(error instanceof SetUpError ? error.message : String(error instanceof Error ? error.stack : error))
  process.exitCode = task ? 1 : 2
  if (name.startsWith("test")) summarize([{ passed: 0, failed: 1 }])
}
