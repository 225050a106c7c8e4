/** Machines on one machine: a network namespace each, with an address on one bridge. Linux gives them only to root. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { atEndOfProcess } from "../kit/postgres/index.ts"

const run = promisify(execFile)

/** The network of the addresses in `deploy/failover`. */
const network = "10.97.33"
/** All addresses of the machines; smaller than the network, so that a route to it comes first. */
export const everyAddress = `${network}.0/25`
const bridge = "postcode-ha"
const namespaceOf = (name: string) => `postcode-${name}`

/** Creates a machine for each name; its number is the last part of its address. All end with this process. */
export const makeMachines = async (
  folder: string,
  numbers: Readonly<Record<string, number>>
): Promise<ReadonlyArray<Machine>> => {
  const named = [bridge, ...Object.keys(numbers).map(namespaceOf)]
  // What a run left that was broken off.
  await run("sh", ["-c", removal, "sh", ...named])
  atEndOfProcess(`folder=$1; shift; ${removal}; rm -rf "$folder"`, folder, ...named)
  await run("chmod", ["755", folder])
  await run("ip", ["link", "add", bridge, "type", "bridge"])
  await run("ip", ["address", "add", `${network}.1/24`, "dev", bridge])
  await run("ip", ["link", "set", bridge, "up"])
  for (const [name, number] of Object.entries(numbers)) await connect(name, number)
  return Object.entries(numbers).map(([name, number]) => new Machine(name, `${network}.${number}`, join(folder, name)))
}

const removal = `
  bridge=$1; shift
  for namespace; do
    ip netns pids "$namespace" 2>/dev/null | xargs -r kill -9
    ip netns delete "$namespace" 2>/dev/null
  done
  ip link delete "$bridge" 2>/dev/null || true`

const connect = async (name: string, number: number): Promise<void> => {
  const [namespace, outside] = [namespaceOf(name), `postcode-${number}`]
  await run("ip", ["netns", "add", namespace])
  // It outlives the namespace of an earlier run while a process holds that.
  await run("ip", ["link", "delete", outside]).catch(() => {})
  await run("ip", ["link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", namespace])
  await run("ip", ["link", "set", outside, "master", bridge, "up"])
  await run("ip", ["-n", namespace, "address", "add", `${network}.${number}/24`, "dev", "eth0"])
  for (const device of ["lo", "eth0"]) await run("ip", ["-n", namespace, "link", "set", device, "up"])
}

export class Machine {
  readonly name: string
  readonly address: string
  readonly folder: string

  constructor(name: string, address: string, folder: string) {
    this.name = name
    this.address = address
    this.folder = folder
  }

  /** Creates folders below its own, for the user postgres. */
  async makeFolders(paths: ReadonlyArray<string>): Promise<void> {
    await run("mkdir", ["-p", ...paths.map((path) => join(this.folder, path))])
    await run("chown", ["-R", "postgres:postgres", this.folder])
  }

  /** Starts a program as the user postgres. */
  start(program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): ChildProcess {
    const asPostgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
    const child = spawn("ip", ["netns", "exec", namespaceOf(this.name), ...asPostgres, program, ...args], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, LANG: "C.UTF-8", HOME: this.folder, ...env },
      stdio: ["ignore", "ignore", "pipe"]
    })
    child.stderr?.pipe(createWriteStream(join(this.folder, `${program}.log`), { flags: "a" }))
    return child
  }

  /** Sends nothing more to some addresses; answers what undoes it. */
  async cutOff(addresses: ReadonlyArray<string>): Promise<() => Promise<void>> {
    const route = async (change: "add" | "delete") => {
      for (const to of addresses) await run("ip", ["-n", namespaceOf(this.name), "route", change, "blackhole", to])
    }
    await route("add")
    return () => route("delete")
  }
}
