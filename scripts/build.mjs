// npm run build: bundles what has changed, and with --declarations generates the declarations of all packages.
import { readdirSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { allPackages } from "./bundles.mjs"
import { run, tool } from "./child.mjs"
import { node } from "./node.mjs"
import { setUp } from "./setUp.mjs"
import { runAsProgram, SetUpError, say, secondsSince } from "./terminal.mjs"
import { sourceFiles } from "./workspace.mjs"

/**
 * Generates the declarations of all packages, and removes those whose source is gone.
 *
 * @param {ReadonlyArray<string>} [options] of the compiler
 */
export const declare = async (options = []) => {
  const since = performance.now()
  say("Generating the declarations …")
  const folders = allPackages().map(({ folder }) => folder)
  const { code, output } = await run(node(), [tool("typescript", "tsc"), "-b", ...options, ...folders])
  if (code !== 0) throw new SetUpError(output.trimEnd())
  for (const { folder } of allPackages()) {
    const src = join(folder, "src")
    const sources = new Set(sourceFiles(src).map((file) => relative(src, file).replace(/\.tsx?$/, "")))
    const dist = join(folder, "dist")
    const made = readdirSync(dist, { encoding: "utf8", recursive: true }).filter((file) => declaration.test(file))
    for (const file of made) if (!sources.has(file.replace(declaration, ""))) rmSync(join(dist, file))
  }
  say(`Generated in ${secondsSince(since)}.`)
}

const declaration = /\.d\.ts(\.map)?$/

await runAsProgram(import.meta.url, async (args) => {
  await setUp(allPackages())
  if (args.includes("--declarations")) await declare()
})
