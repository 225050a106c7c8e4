// One set-up at a time: a folder that only one process can make, and whose date that process keeps fresh.
import { mkdirSync, rmSync, statSync, utimesSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

const refresh_ms = 500
const abandoned_after_ms = 10_000

/**
 * Runs `work` while this process alone holds `folder`. A lock that has not been refreshed, because its process was killed
 * or its machine stopped, is taken over.
 *
 * @template A
 * @param {string} folder
 * @param {() => void} onWait called once if another process holds it
 * @param {() => Promise<A>} work
 * @returns {Promise<A>}
 */
export const withLock = async (folder, onWait, work) => {
  for (let tries = 0; !acquire(folder); tries++) {
    if (tries === 0) onWait()
    const since = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > abandoned_after_ms) rmSync(folder, { recursive: true, force: true })
    else await sleep(100)
  }
  const timer = setInterval(() => refresh(folder), refresh_ms)
  const release = () => rmSync(folder, { recursive: true, force: true })
  process.once("exit", release)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    process.off("exit", release)
    release()
  }
}

/** @param {string} folder */
const acquire = (folder) => {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false
    throw error
  }
}

/** @param {string} folder */
const refresh = (folder) => {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // Taken over while this process was suspended; the work is finished all the same.
  }
}
