/** `COPY … FROM STDIN`: streams rows into a table. */
import type { Client } from "pg"
import { from } from "pg-copy-streams"

/** A running `COPY`. */
export interface CopyIn {
  /** Sends bytes, which the caller may overwrite after it resolves. Rejects with the server's error. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Ends the stream and returns the number of rows that the server stored. */
  readonly end: () => Promise<number>
}

/** Starts a `COPY`. If the server or the connection fails, the next `write` or `end` rejects with the error. */
export const copyIn = (client: Client, statement: string): CopyIn => {
  const stream = client.query(from(statement))
  const failed = new Promise<never>((_, reject) => {
    stream.once("error", reject)
    client.once("end", () => reject(new Error("the connection to the database ended")))
  })
  // The error may occur between two writes; the next one rejects with it.
  failed.catch(() => {})
  const settled = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
    ])
  return {
    write: async (bytes) => {
      if (bytes.length === 0) return
      // The callback may run while the socket still buffers a small chunk, so small chunks are copied.
      const chunk = bytes.length > maxCopied_bytes ? bytes : Buffer.from(bytes)
      await settled((done) => stream.write(chunk, done))
    },
    end: async () => {
      await settled((done) => stream.end(done))
      return stream.rowCount
    }
  }
}

/** More than the write buffer of any socket. */
const maxCopied_bytes = 1 << 17
