// Each published package as the tarball that npm gets.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { declare } from "./build.mjs"
import { npm, run, withoutTools } from "./child.mjs"
import { pnpm } from "./install.mjs"
import { SetUpError, say } from "./messages.mjs"
import { ownDeclarations } from "./ownDeclarations.mjs"
import { repositoryVariable } from "./publishedManifest.mjs"
import { packages, root } from "./workspace.mjs"

/**
 * Packs what is built. Declarations are made first, which bundles do not need and others do.
 *
 * @param {string} folder where the tarballs go
 * @param {string} [repository] the page of the repository, without which they cannot be released
 */
export const pack = async (folder, repository) => {
  await declare()
  ownDeclarations(packages().get("@postcode/widget")?.folder ?? "")
  mkdirSync(folder, { recursive: true })
  const options = [
    ...["--recursive", "--filter=./packages/*", "--silent"],
    `--config.pnpmfile=${join(root, "scripts", "publishedManifest.mjs")}`
  ]
  const { code, output } = await run(
    ...npm("npx", ["--yes", pnpm, ...options, "pack", `--pack-destination=${folder}`]),
    {
      env: { ...withoutTools(), [repositoryVariable]: repository }
    }
  )
  if (code !== 0) throw new SetUpError(output.trimEnd() || `pnpm pack ended with exit code ${code}.`)
  say(`Packed into ${folder}. README.md shows how the packages are installed from there.`)
}
