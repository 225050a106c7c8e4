/** A PostgreSQL server of one's own. */
import { join } from "node:path"
import { embeddedPostgres, findPostgres, startPostgres } from "@postcode/postgres/testing"

/** With its settings as they come, so that every commit is flushed to disk. */
export const startDatabase = (folder: string) => {
  const programs = embeddedPostgres() ?? findPostgres()
  if (programs === undefined) throw new Error("There is no PostgreSQL server here. On Debian: apt install postgresql")
  return startPostgres({ programs, folder: join(folder, "postgres") })
}
