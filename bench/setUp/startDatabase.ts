/** A temporary PostgreSQL server. */
import { join } from "node:path"
import { embeddedPostgres, findPostgres, type PostgresServer, startPostgres } from "@postcode/drills/postgres"

/**
 * A server with its files in a folder, which flushes every commit to disk.
 *
 * @param settings differences from the defaults, as in `postgresql.conf`
 * @throws Error if PostgreSQL is not installed
 */
export const startDatabase = (
  folder: string,
  settings: Readonly<Record<string, string>> = {}
): Promise<PostgresServer> => {
  const programs = embeddedPostgres() ?? findPostgres()
  if (programs === undefined) throw new Error("There is no PostgreSQL server here. On Debian: apt install postgresql")
  return startPostgres({ programs, folder: join(folder, "postgres"), settings })
}
