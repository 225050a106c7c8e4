/** What this machine lacks for failovers. */
import { existsSync } from "node:fs"

/** A file of each package of Debian that the run needs. */
const needed = {
  patroni: "/usr/bin/patronictl",
  "python3-etcd": "/usr/lib/python3/dist-packages/etcd",
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  "postgresql-15": "/usr/lib/postgresql/15/bin/postgres",
  "postgresql-client-15": "/usr/bin/psql",
  iproute2: "/sbin/ip"
}

/** A message for the operator; undefined if nothing is missing. */
export const missingForFailover = (): string | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return "This drill needs Linux and root: each node gets a network of its own."
  }
  const missing = Object.entries(needed).filter(([, file]) => !existsSync(file))
  if (missing.length === 0) return undefined
  const names = missing.map(([name]) => name).join(" ")
  return `This drill needs more packages of Debian 12: apt-get install --no-install-recommends ${names}`
}
