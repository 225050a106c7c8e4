/** What this machine lacks for a recovery by pgBackRest. */
import { existsSync } from "node:fs"

/** A file of each package of Debian that the run needs. */
const needed = { "postgresql-15": "/usr/lib/postgresql/15/bin/postgres", pgbackrest: "/usr/bin/pgbackrest" }

/** A message for the operator; undefined if nothing is missing. */
export const missingForRecovery = (): string | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return "This drill needs Linux and root: PostgreSQL and pgBackRest run as the user postgres."
  }
  const missing = Object.entries(needed).filter(([, file]) => !existsSync(file))
  if (missing.length === 0) return undefined
  const names = missing.map(([name]) => name).join(" ")
  return `This drill needs more packages of Debian 12: apt-get install --no-install-recommends ${names}`
}
