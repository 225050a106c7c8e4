/** A temporary folder of a benchmark, which is always removed. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { watchForInterruption } from "./Interruption.ts"

/** Runs work with a temporary folder and a signal that is aborted on interruption. */
export async function* inTemporaryFolder<A>(
  work: (folder: string, signal: AbortSignal) => AsyncIterable<A>
): AsyncGenerator<A> {
  const interruption = watchForInterruption()
  const folder = await mkdtemp(join(tmpdir(), "postcode-bench-"))
  try {
    // If this process runs as root, PostgreSQL runs as another user.
    await chmod(folder, 0o711)
    yield* work(folder, interruption.signal)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    interruption.end()
  }
}
