/** The time of PostgreSQL's own client to load the same file into a table without an index. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { unitColumns } from "@postcode/core/Csv"

const run = promisify(execFile)

/** `psql 18.4`; undefined if it is not on PATH. */
export const findPsql = async (): Promise<string | undefined> => {
  try {
    const { stdout } = await run("psql", ["--version"])
    return `psql ${/\d+(\.\d+)*/.exec(stdout)?.[0] ?? ""}`
  } catch {
    return undefined
  }
}

/** The time from the start of the client to its end, in seconds. */
export const copyByPsql = async (file: string, url: string, signal: AbortSignal): Promise<number> => {
  const types = [
    "text",
    "double precision",
    "double precision",
    "text",
    "text",
    "text",
    "text",
    "text",
    "text",
    "boolean",
    "text"
  ]
  const columns = unitColumns.map((column, index) => `${column} ${types[index]}`)
  const psql = (...commands: ReadonlyArray<string>) =>
    run("psql", ["-q", "-X", "-v", "ON_ERROR_STOP=1", url, ...commands.flatMap((command) => ["-c", command])], {
      signal
    })
  await psql(`CREATE TABLE bare (${columns})`)
  const start = performance.now()
  await psql(`\\copy bare FROM '${file}' WITH (FORMAT csv, HEADER)`)
  const time_s = (performance.now() - start) / 1000
  await psql("DROP TABLE bare", "CHECKPOINT")
  return time_s
}
