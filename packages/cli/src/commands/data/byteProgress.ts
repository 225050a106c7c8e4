/** Progress of work on bytes. */
import { grouped, makeProgress } from "@postcode/server/process/Progress"

/** @param doing the work: `backing up ./data` */
export const byteProgress = (doing: string) => {
  const progress = makeProgress({ doing, what: "MB" })
  return {
    update: (done_bytes: number, total_bytes: number): void =>
      progress.update(Math.floor(done_bytes / 1e6), Math.min(1, done_bytes / Math.max(1, total_bytes))),
    end: (): void => progress.clear()
  }
}

/** `12,345,678` → `12.3 MB`. */
export const megabytes = (bytes: number): string =>
  bytes < 1e8 ? `${(bytes / 1e6).toFixed(1)} MB` : `${grouped(Math.round(bytes / 1e6))} MB`
