/** A connection to the service's database in a data folder, past the service. */
import type { Client } from "pg"
import { dataFolder, serviceRole } from "../../../packages/postgres/src/embedded/DataFolder.ts"
import { connectTo } from "../../../packages/postgres/src/embedded/ServerConnection.ts"

/** Connects as the superuser, by default to the service's database. Rejects if no server answers now. */
export const connectToFolder = async (path: string, database: string = serviceRole): Promise<Client> => {
  const connection = await connectTo(await dataFolder(path), "tests", database)
  if (connection === undefined) throw new Error(`no PostgreSQL answers in ${path}`)
  return connection.client
}
