/** PostgreSQL with a demonstration directory, and replicas on it. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DemoName } from "../kit/DemoSample.ts"
import { environmentOn, makeCustomer } from "../kit/Installation.ts"
import { type PostgresServer, requirePostgres, startPostgres } from "../kit/postgres/index.ts"
import { Replica } from "../kit/Replica.ts"
import { type Ended, ended, start } from "../kit/StartCommand.ts"

export interface LivingScene extends AsyncDisposable {
  readonly server: PostgresServer
  /** What commands and replicas need in their environment. */
  readonly env: Readonly<Record<string, string>>
  readonly replicas: ReadonlyArray<Replica>
  /** A secret key that is served everything, with more credits than a run spends. */
  readonly secret: string
  /** For the files of a run. */
  readonly folder: string
  readonly import_s: number
  /** From the start of the replicas until all are ready. */
  readonly ready_s: number
}

export interface SceneOptions extends DemoName {
  readonly replicas: number
  readonly workers: number
  readonly progress: (message: string) => void
}

export const openScene = async (options: SceneOptions): Promise<LivingScene> => {
  await using stack = new AsyncDisposableStack()
  // Apart, as the server may run as another user.
  const [folder, serverFolder] = await Promise.all([makeFolder(), makeFolder()])
  stack.defer(async () => {
    await Promise.all([folder, serverFolder].map((path) => rm(path, { recursive: true, force: true })))
  })
  options.progress(`starting PostgreSQL, and importing ${options.units} units`)
  const programs = requirePostgres()
  const server = await startPostgres({ folder: serverFolder, programs, settings: serverSettings })
  stack.defer(() => server.stop())
  const env = { ...environmentOn(server.url("postgres")), POSTCODE_WORKERS: `${options.workers}` }
  const { import_s } = await importDemonstration(join(folder, "nigeria"), options, env)
  options.progress(`imported in ${import_s} s; starting ${options.replicas} replicas`)
  const before_ms = performance.now()
  const replicas: Array<Replica> = []
  stack.defer(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()))
  })
  for (let count = 0; count < options.replicas; count++) replicas.push(await Replica.start(env))
  const ready_s = seconds(performance.now() - before_ms)
  const { secret } = await makeCustomer({ url: `http://127.0.0.1:${replicas[0]?.port}` }, 1_000_000_000)
  const kept = stack.move()
  return {
    ...{ server, env, replicas, secret, folder, import_s, ready_s },
    [Symbol.asyncDispose]: () => kept.disposeAsync()
  }
}

/** As on a machine with some gigabytes. Commits reach the disk. */
const serverSettings = { shared_buffers: "256MB", max_wal_size: "4GB" }

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "postcode-living-"))

/** Writes a demonstration directory and imports it. Returns the time of the import in seconds. */
export const importDemonstration = async (
  path: string,
  { seed, units }: DemoName,
  env: Readonly<Record<string, string>>,
  ...flags: ReadonlyArray<string>
): Promise<{ readonly version: string; readonly import_s: number }> => {
  await runCommand(["demo", path, "--units", `${units}`, "--seed", `${seed}`], env)
  const version = `demo-${units}-${seed}`
  const before_ms = performance.now()
  await runCommand(["import", path, "--data-version", version, ...flags], env)
  const import_s = seconds(performance.now() - before_ms)
  await rm(path, { recursive: true })
  return { version, import_s }
}

/** Runs the built command to its end. */
export const runCommand = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
): Promise<Ended> => {
  const child = start(args, { env })
  child.stdin.end()
  const result = await ended(child)
  if (result.code !== 0) throw new Error(`postcode ${args.join(" ")}: exit code ${result.code}: ${result.stderr}`)
  return result
}

/** To a tenth. */
export const seconds = (time_ms: number): number => Math.round(time_ms / 100) / 10
