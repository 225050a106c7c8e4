/** Installs packages from npm into a folder of their own. */
import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { npm } from "../../scripts/child.mjs"

/**
 * @param packages with their versions: `name@1.2.3`
 * @param signal ends npm
 * @throws Error if npm cannot install them
 */
export const installPackages = async (
  folder: string,
  packages: ReadonlyArray<string>,
  signal: AbortSignal
): Promise<void> => {
  await mkdir(folder)
  await writeFile(join(folder, "package.json"), "{}")
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--loglevel=error"]
  await promisify(execFile)(...npm("npm", [...install, ...packages]), { cwd: folder, signal, timeout: timeout_ms })
}

const timeout_ms = 180_000
