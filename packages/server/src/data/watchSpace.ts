/** Warns while there is little space for a data folder, before PostgreSQL stops for lack of it. */
import { statfs } from "node:fs/promises"
import { Effect } from "effect"
import { grouped } from "../process/Progress.ts"

/** Watches until it is interrupted. */
export const watchSpace = (path: string, onEvent: (message: string) => void): Effect.Effect<never> => {
  let isLow = false
  const look = Effect.promise(async () => {
    const free_bytes = await freeSpace(path).catch(() => Number.POSITIVE_INFINITY)
    const free = `${grouped(Math.floor(free_bytes / 1e6))} MB`
    if (!isLow && free_bytes < low_bytes) {
      isLow = true
      onEvent(`only ${free} are free for ${path}: what must be stored is refused with 503 once there is no space left`)
    } else if (isLow && free_bytes > 2 * low_bytes) {
      isLow = false
      onEvent(`${free} are free for ${path} again`)
    }
  })
  return Effect.forever(Effect.andThen(look, Effect.sleep(pause_ms)))
}

const freeSpace = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

const low_bytes = 100e6
const pause_ms = 5_000
