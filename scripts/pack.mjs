// npm run pack -- FOLDER: each published package as the tarball that npm gets.
import { mkdirSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { declare } from "./build.mjs"
import { allPackages } from "./bundles.mjs"
import { npm, run, withoutTools } from "./child.mjs"
import { ownDeclarations } from "./ownDeclarations.mjs"
import { repositoryVariable } from "./publishedManifest.mjs"
import { inOrder, tarballOf } from "./release.mjs"
import { pnpm, setUp } from "./setUp.mjs"
import { runAsProgram, SetUpError, say, secondsSince } from "./terminal.mjs"
import { packages, root } from "./workspace.mjs"

/**
 * Packs the built packages. Bundles need no declarations, so these are generated here. Types are not checked: `npm test`
 * does that, and it takes longer than all declarations.
 *
 * @param {string} folder where the tarballs go
 * @param {string} [repository] the page of the repository, without which they cannot be released
 */
const pack = async (folder, repository) => {
  await declare(["--noCheck"])
  ownDeclarations(packages().get("@postcode/widget")?.folder ?? "")
  const since = performance.now()
  say("Packing …")
  mkdirSync(folder, { recursive: true })
  const options = [
    ...["--recursive", ...inOrder().map(({ name }) => `--filter=${name}`), "--silent"],
    `--config.pnpmfile=${join(root, "scripts", "publishedManifest.mjs")}`
  ]
  const { code, output } = await run(
    ...npm("npx", ["--yes", pnpm, ...options, "pack", `--pack-destination=${folder}`]),
    {
      env: { ...withoutTools(), [repositoryVariable]: repository }
    }
  )
  if (code !== 0) throw new SetUpError(output.trimEnd() || `pnpm pack ended with exit code ${code}.`)
  for (const file of inOrder().map(tarballOf)) {
    say(`  ${file}, ${Math.ceil(statSync(join(folder, file)).size / 1000)} kB`)
  }
  say(`Packed in ${secondsSince(since)} into ${folder}. docs/getting-started.md shows how to install the packages.`)
}

await runAsProgram(import.meta.url, async ([folder]) => {
  if (folder === undefined || folder.startsWith("-"))
    throw new SetUpError("Name the folder that the tarballs go to: npm run pack -- FOLDER")
  await setUp(allPackages())
  await pack(resolve(process.env.INIT_CWD ?? "", folder), process.env[repositoryVariable])
})
