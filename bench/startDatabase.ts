/** A PostgreSQL server of one's own. */
import { join } from "node:path"
import { embeddedPostgres, findPostgres, type PostgresServer, startPostgres } from "@postcode/postgres/testing"

/**
 * A server whose files are in a folder, and which flushes every commit to disk.
 *
 * @param settings what differs from how it comes, as in `postgresql.conf`
 * @throws Error if there is none to be started
 */
export const startDatabase = (
  folder: string,
  settings: Readonly<Record<string, string>> = {}
): Promise<PostgresServer> => {
  const programs = embeddedPostgres() ?? findPostgres()
  if (programs === undefined) throw new Error("There is no PostgreSQL server here. On Debian: apt install postgresql")
  return startPostgres({ programs, folder: join(folder, "postgres"), settings })
}
