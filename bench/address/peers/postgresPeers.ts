/** PostgreSQL: trigrams by `pg_trgm`, and its full-text search; both ways as its documentation shows. */
import { createWriteStream } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Client } from "pg"
import { processorTime_ns } from "../../http/processUse.ts"
import type { Peer } from "./Peer.ts"

/** @throws Error if the database has no `pg_trgm` */
export const postgresPeers = async (
  client: Client,
  texts: ReadonlyArray<string>,
  folder: string
): Promise<ReadonlyArray<Peer>> => {
  await load(client, texts, folder)
  const { rows } = await client.query<{ version: string; pid: number }>(
    "SELECT split_part(current_setting('server_version'), ' ', 1) AS version, pg_backend_pid() AS pid"
  )
  const { pid, version } = rows[0] as { version: string; pid: number }
  const cpuTime_ns = (): number => processorTime_ns([pid])
  const first = async (statement: { name: string; text: string }, text: string): Promise<number | undefined> =>
    (await client.query<{ id: number }>({ ...statement, values: [text] })).rows[0]?.id
  return [
    { name: `PostgreSQL ${version} pg_trgm`, first: (text) => first(byTrigrams, text), cpuTime_ns },
    { name: `PostgreSQL ${version} full text`, first: (text) => first(byFullText, text), cpuTime_ns }
  ]
}

/** The nearest address by the similarity of words, of those that the index finds. */
const byTrigrams = {
  name: "trigrams",
  text: "SELECT id FROM addresses WHERE $1 <% text ORDER BY $1 <<-> text LIMIT 1"
} as const

/** Any of the words, since a text with a typing error has not all of them; the best by rank. */
const byFullText = {
  name: "full_text",
  text: `SELECT id FROM addresses, to_tsquery('simple', array_to_string(tsvector_to_array(to_tsvector('simple', $1)), ' | ')) query
    WHERE words @@ query ORDER BY ts_rank_cd(words, query, 1) DESC LIMIT 1`
} as const

const load = async (client: Client, texts: ReadonlyArray<string>, folder: string): Promise<void> => {
  const file = join(folder, "addresses.copy")
  await pipeline(Readable.from(texts.map(copyLine)), createWriteStream(file))
  await client.query("CREATE EXTENSION pg_trgm")
  await client.query(
    "CREATE TABLE addresses (id int NOT NULL, text text NOT NULL, words tsvector GENERATED ALWAYS AS (to_tsvector('simple', text)) STORED)"
  )
  await client.query(`COPY addresses (id, text) FROM '${file.replaceAll("'", "''")}'`)
  await rm(file)
  await client.query("CREATE INDEX by_trigrams ON addresses USING gin (text gin_trgm_ops)")
  await client.query("CREATE INDEX by_words ON addresses USING gin (words)")
  await client.query("VACUUM ANALYZE addresses")
}

const copyLine = (text: string, id: number): string =>
  `${id}\t${text.replaceAll("\\", "\\\\").replaceAll("\t", " ").replaceAll("\n", " ")}\n`
