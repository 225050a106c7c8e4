/** Podman, set up so that it needs neither systemd nor a configuration of the machine. */
import { execFile } from "node:child_process"
import { access, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"

/** Writes the configuration for all later calls, also for those of programs that this process starts. */
export const configurePodman = async (folder: string): Promise<void> => {
  const file = join(folder, "containers.conf")
  await writeFile(file, configuration)
  process.env.CONTAINERS_CONF = file
  // Podman gives health checks to systemd. This program runs them itself.
  process.env.DISABLE_HC_SYSTEMD = "true"
}

const configuration = `
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=20000:20000"]

[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"

[network]
network_backend = "netavark"
`

/** Runs a program to its end, and returns its standard output. */
export const run = async (program: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 256e6 })
  return stdout.trim()
}

export const podman = (...args: ReadonlyArray<string>): Promise<string> => run("podman", ...args)

export const succeeds = async (...args: ReadonlyArray<string>): Promise<boolean> =>
  await podman(...args).then(
    () => true,
    () => false
  )

/** A message that names the packages of Debian to install; undefined if none is missing. */
export const missingPackages = async (): Promise<string | undefined> => {
  if (process.getuid?.() !== 0) return "Run this as root: debootstrap and the container network need it."
  const missing: Array<string> = []
  for (const [name, file] of Object.entries(packages)) if (!(await isThere(file))) missing.push(name)
  if (missing.length === 0) return undefined
  return `Install these packages of Debian: apt-get install --no-install-recommends ${missing.join(" ")}`
}

/** One file of each package: a program, or a path. */
const packages = {
  "aardvark-dns": "/usr/lib/podman/aardvark-dns",
  "ca-certificates": "/etc/ssl/certs/ca-certificates.crt",
  debootstrap: "debootstrap",
  iptables: "iptables",
  netavark: "/usr/lib/podman/netavark",
  openssl: "openssl",
  podman: "podman",
  runc: "runc",
  systemd: "systemd-analyze"
}

const isThere = async (file: string): Promise<boolean> => {
  const folders = file.startsWith("/") ? [""] : [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"]
  const found = await Promise.allSettled(folders.map((folder) => access(folder === "" ? file : join(folder, file))))
  return found.some(({ status }) => status === "fulfilled")
}
