/**
 * The project's containers: builds the image, starts what `compose.yaml` describes, replaces the replicas with
 * `deploy/replace.sh` and kills one while clients search and pay, and compares every response with the ledger.
 */
import { execFile } from "node:child_process"
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Wrong } from "../kit/LedgerRow.ts"
import { findWrong, readLedger } from "../kit/Verdict.ts"
import { seconds } from "../living/LivingScene.ts"
import { readComposeFile } from "./ComposeFile.ts"
import { ComposeProject } from "./ComposeProject.ts"
import { buildService, makeImages } from "./makeImages.ts"
import { makeProject, type ProjectFolder } from "./makeProject.ts"
import { configurePodman, podman } from "./Podman.ts"
import { root } from "./root.ts"
import { type LargeBodies, sendLargeBodies } from "./sendLargeBodies.ts"
import { startTraffic, type Traffic } from "./Traffic.ts"
import { verifyUnits } from "./verifyUnits.ts"

export interface ContainersReport {
  /** Images that were made from Debian's packages; all others were there. */
  readonly madeImages: ReadonlyArray<string>
  readonly build_s: number
  readonly image_mb: number
  /** Of which the image of Node. */
  readonly nodeImage_mb: number
  /** From the first container until nginx answers that the service is ready, with the import. */
  readonly ready_s: number
  /** Requests while `replace.sh` ran. */
  readonly replacement: Requests
  /** Requests from the kill of a replica until it was healthy again. */
  readonly kill: Requests
  /** Large bodies to a path that does not exist, and to the changes of the directory. */
  readonly largeBodies: LargeBodies
  readonly changesBodies: LargeBodies
  /** Paid responses. */
  readonly charges: number
  readonly wrong: Wrong
  readonly units: ReadonlyArray<string>
}

export interface Requests {
  readonly seconds: number
  readonly searches: number
  /** Those without a 200, by status; 0 if the response was lost. */
  readonly failedSearches: Readonly<Record<number, number>>
  readonly paid: number
  readonly failedPaid: Readonly<Record<number, number>>
  readonly slowest_ms: number
}

export const runContainers = async (progress: (message: string) => void): Promise<ContainersReport> => {
  await using stack = new AsyncDisposableStack()
  const units = await verifyUnits()
  const folder = stack.use(await makeProject())
  await configurePodman(folder.path)
  const images = await buildImages(progress)
  const project = await ComposeProject.open(folder.path)
  await project.down()
  stack.defer(project.downAtEnd())
  stack.defer(() => project.down())
  progress("starting the services")
  const start_ms = performance.now()
  const ca = await readFile(join(folder.path, "tls/tls.crt"), "utf8")
  await project.up()
  const ready_s = since(start_ms)
  progress(`ready after ${ready_s} s; replacing both replicas while clients search and pay`)
  const traffic = await startTraffic({ ...folder, ca, searchers: 4, payers: 8 })
  await setTimeout(settle_ms)
  const replacement = await during(traffic, () => replaceReplicas(folder))
  await setTimeout(settle_ms)
  progress("killing one replica")
  const kill = await during(traffic, () => killReplica(project))
  await setTimeout(settle_ms)
  progress("sending large bodies")
  const largeBodies = await sendLargeBodies(project, folder.http, "/v1/nothing", 16 * mebibyte)
  const changesBodies = await sendLargeBodies(project, folder.http, "/v1/admin/directory/changes", 4 * mebibyte)
  await traffic.stop()
  const { balances, rows } = await readLedger({ query: (sql) => queryIn(project, sql) })
  const charges = traffic.attempts.filter(({ charged, status }) => status === 200 && charged > 0).length
  const bodies = { largeBodies, changesBodies }
  return {
    ...images,
    ready_s,
    replacement,
    kill,
    ...bodies,
    charges,
    wrong: findWrong(traffic.attempts, rows, balances),
    units
  }
}

const settle_ms = 2_000
const mebibyte = 2 ** 20

const failed = (all: ReadonlyArray<{ readonly status: number }>): Readonly<Record<number, number>> => {
  const counts = new Map<number, number>()
  for (const { status } of all) if (status !== 200) counts.set(status, (counts.get(status) ?? 0) + 1)
  return Object.fromEntries(counts)
}

const since = (start_ms: number): number => seconds(performance.now() - start_ms)

const buildImages = async (progress: (message: string) => void) => {
  const dockerfile = await readFile(join(root, "deploy", "Dockerfile"), "utf8")
  const { nginx, postgres } = readComposeFile(join(root, "deploy", "compose.yaml")).services
  const defaults = new Map([...dockerfile.matchAll(/^ARG (\w+)=(\S+)/gm)].map(([, name, value]) => [name, value]))
  const stages = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name = ""]) =>
    name.replace(/^\$\{(\w+)\}$/, (_, argument: string) => defaults.get(argument) ?? "")
  )
  const madeImages = await makeImages([...stages, `${postgres?.image}`, `${nginx?.image}`], progress)
  progress("building the image of the service")
  const start_ms = performance.now()
  await buildService("--no-cache")
  const build_s = since(start_ms)
  const image_mb = await size_mb("postcode-gateway")
  return { madeImages, build_s, image_mb, nodeImage_mb: await size_mb(stages.at(-1) as string) }
}

const size_mb = async (image: string): Promise<number> =>
  Math.round(Number(await podman("image", "inspect", "--format={{.Size}}", image)) / 1e6)

/** What was sent meanwhile. */
const during = async (traffic: Traffic, act: () => Promise<void>): Promise<Requests> => {
  const start_ms = performance.now()
  await act()
  const end_ms = performance.now()
  const sent = <A extends { readonly sent_ms: number }>(all: ReadonlyArray<A>) =>
    all.filter(({ sent_ms }) => sent_ms >= start_ms && sent_ms < end_ms)
  const [searches, attempts] = [sent(traffic.searches), sent(traffic.attempts)]
  const times_ms = [...searches, ...attempts].map(({ answered_ms, sent_ms }) => answered_ms - sent_ms)
  return {
    seconds: seconds(end_ms - start_ms),
    searches: searches.length,
    failedSearches: failed(searches),
    paid: attempts.length,
    failedPaid: failed(attempts),
    slowest_ms: Math.round(Math.max(0, ...times_ms))
  }
}

/** Runs `replace.sh`, with a program named `docker` that starts the containers with Podman. */
const replaceReplicas = async ({ path }: ProjectFolder): Promise<void> => {
  const bin = join(path, "bin")
  await mkdir(bin)
  const program = fileURLToPath(new URL("compose.ts", import.meta.url))
  const command = `exec '${process.execPath}' --conditions=@postcode/source '${program}' "$@"`
  await writeFile(join(bin, "docker"), `#!/bin/sh\n${command}\n`)
  await chmod(join(bin, "docker"), 0o755)
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  await promisify(execFile)(join(path, "replace.sh"), { env })
}

/** As a crash does. The restart policy starts it again. */
const killReplica = async (project: ComposeProject): Promise<void> => {
  const pid = await project.pid("gateway-1")
  process.kill(pid, "SIGKILL")
  while ([0, pid].includes(await project.pid("gateway-1"))) await setTimeout(100)
  await project.untilHealthy("gateway-1")
}

const queryIn = async (project: ComposeProject, sql: string) => {
  const query = `SELECT coalesce(json_agg(found), '[]') FROM (${sql}) found`
  const options = ["--username=postgres", "--dbname=postcode", "--no-psqlrc", "--tuples-only", "--no-align"]
  return { rows: JSON.parse(await project.exec("postgres", "psql", ...options, `--command=${query}`)) }
}
