/** A folder for what a benchmark writes, which is gone at the end, however that comes about. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { watchForInterruption } from "./Interruption.ts"

/** Runs work with a folder of its own, and with a signal that is set when the process is asked to end. */
export async function* inTemporaryFolder<A>(
  work: (folder: string, signal: AbortSignal) => AsyncIterable<A>
): AsyncGenerator<A> {
  const interruption = watchForInterruption()
  const folder = await mkdtemp(join(tmpdir(), "postcode-bench-"))
  try {
    // PostgreSQL runs as a user of its own where this process is root's.
    await chmod(folder, 0o711)
    yield* work(folder, interruption.signal)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    interruption.end()
  }
}
