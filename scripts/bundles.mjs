// Bundles the packages whose sources have changed since the last time, two at once.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run, tool, twoAtOnce } from "./child.mjs"
import { node } from "./node.mjs"
import { SetUpError, say, secondsSince } from "./terminal.mjs"
import { fingerprint, packages, root, sourceFiles, withDependencies } from "./workspace.mjs"

/** @typedef {import("./workspace.mjs").Package} Package */

/** Files outside the packages that bundles depend on. */
const shared = () => [
  ...["tsconfig.base.json", "pnpm-lock.yaml"].map((name) => join(root, name)),
  ...["config", "vectors"].flatMap((folder) => sourceFiles(join(root, folder)))
]

const client = join(root, "packages", "client")
const contract = join(client, "src", "Contract.ts")
const contractStamp = join(client, "node_modules", ".contract-from")

const contractSources = () =>
  fingerprint([
    join(client, "generateContract.ts"),
    ...withDependencies("@postcode/api").flatMap(({ folder }) => sourceFiles(folder))
  ])

/** Whether the client's types are those of the contract as it is. They are no part of the repository. */
export const isGenerated = () =>
  existsSync(contract) && existsSync(contractStamp) && readFileSync(contractStamp, "utf8") === contractSources()

/** Makes the client's types from the contract. Only the compiler and editors read them. */
export const generate = async () => {
  const sources = contractSources()
  const biome = [tool("@biomejs/biome", "biome"), "format", "--write", "--vcs-use-ignore-file=false"]
  for (const command of [
    ["--conditions=@postcode/source", join(client, "generateContract.ts")],
    [...biome, contract]
  ]) {
    const { code, output } = await run(node(), command)
    if (code !== 0) throw new SetUpError(`The client's types cannot be made from the contract:\n${output.trimEnd()}`)
  }
  writeFileSync(contractStamp, sources)
}

/** Every package that has something to build. */
export const allPackages = () => [...packages().values()].filter(({ builds }) => builds)

/**
 * The packages among these whose bundle is missing or older than its sources.
 *
 * @param {ReadonlyArray<Package>} wanted
 */
export const outdated = (wanted) =>
  wanted.filter((one) => {
    const stamp = stampOf(one)
    return one.builds && !(existsSync(stamp) && readFileSync(stamp, "utf8") === sourcesOf(one))
  })

/**
 * Bundles these packages. All are tried, so that one run names every package that does not build.
 *
 * @param {ReadonlyArray<Package>} wanted
 */
export const build = async (wanted) => {
  const since = performance.now()
  say(`Building ${wanted.map(({ name }) => name).join(", ")} …`)
  /** @type {Array<string>} */
  const failures = []
  await twoAtOnce(wanted, async (one) => {
    const started = performance.now()
    const output = await bundle(one)
    if (output) failures.push(`${one.name} does not build:\n${output}`)
    else if (wanted.length > 1) say(`  ${one.name}, ${secondsSince(started)}`)
  })
  if (failures.length > 0) throw new SetUpError(failures.join("\n\n"))
  say(`Built in ${secondsSince(since)}.`)
}

/**
 * Answers what went wrong, or nothing.
 *
 * @param {Package} one
 */
const bundle = async (one) => {
  const sources = sourcesOf(one)
  rmSync(stampOf(one), { force: true })
  const { code, output } = await run(node(), [tool("tsup", "tsup"), "--silent"], { cwd: one.folder })
  if (code !== 0) return output.trimEnd() || `tsup ended with exit code ${code}.`
  writeFileSync(stampOf(one), sources)
  return undefined
}

/** @param {Package} one */
const stampOf = (one) => join(one.folder, "dist", ".built-from")

/**
 * A bundle may hold parts of the packages below its own, so their sources count as well.
 *
 * @param {Package} one
 */
const sourcesOf = (one) =>
  fingerprint([...shared(), ...withDependencies(one.name).flatMap(({ folder }) => sourceFiles(folder))])
