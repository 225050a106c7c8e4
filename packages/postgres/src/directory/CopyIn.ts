/** `COPY … FROM STDIN`: rows for one table as a stream of bytes. */
import type { Client } from "pg"
import { from } from "pg-copy-streams"

/** A `COPY` that is under way. */
export interface CopyIn {
  /** Sends bytes; once it resolves they may be overwritten. Rejects with the server's error if there is one. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Says that no more come; answers how many rows the server took. */
  readonly end: () => Promise<number>
}

/** Begins one. It rejects, once it is written to or ended, with what the server or the connection failed with. */
export const copyIn = (client: Client, statement: string): CopyIn => {
  const stream = client.query(from(statement))
  const failed = new Promise<never>((_, reject) => {
    stream.once("error", reject)
    client.once("end", () => reject(new Error("the connection to the database ended")))
  })
  // It may fail while nobody is waiting, and whoever writes next is told.
  failed.catch(() => {})
  const settled = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
    ])
  return {
    write: async (bytes) => {
      if (bytes.length === 0) return
      // The socket is done with what exceeds its buffer as it calls back; less than that it may still hold.
      const chunk = bytes.length > ownedBelow_bytes ? bytes : Buffer.from(bytes)
      await settled((done) => stream.write(chunk, done))
    },
    end: async () => {
      await settled((done) => stream.end(done))
      return stream.rowCount
    }
  }
}

/** Above what any socket buffers before it says that it is full. */
const ownedBelow_bytes = 1 << 17
