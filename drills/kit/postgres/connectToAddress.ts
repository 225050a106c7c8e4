import { Client } from "pg"

/**
 * A connection to any database.
 *
 * @param url `postgresql://user:password@host:port/database`
 */
export const connectToAddress = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url })
  // Without a listener, the error would end this process. The next query fails with it anyway.
  client.on("error", () => {})
  await client.connect()
  return client
}
