// One set-up at a time: a folder that only one process can make, kept fresh while its maker lives.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const refresh_ms = 1_000
const abandoned_after_ms = 15_000

/**
 * Runs `work` while this process alone holds `folder`. A lock whose holder is gone (its process ended, or it stopped
 * refreshing) is taken over.
 *
 * @template A
 * @param {string} folder
 * @param {(holder: string) => void} onWait called once if another process holds it, with that process's id
 * @param {() => Promise<A>} work
 * @returns {Promise<A>}
 */
export const withLock = async (folder, onWait, work) => {
  let told = false
  while (!acquire(folder)) {
    if (isAbandoned(folder)) {
      removeAbandoned(folder)
      continue
    }
    if (!told) onWait(holderOf(folder)?.pid ?? "unknown")
    told = true
    await sleep(100)
  }
  const timer = setInterval(() => touch(folder), refresh_ms)
  const release = () => {
    if (holderOf(folder)?.pid === String(process.pid)) rmSync(folder, { recursive: true, force: true })
  }
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
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
    throw error
  }
  writeFileSync(join(folder, "holder"), `${process.pid} ${hostname()}`)
  return true
}

/** @param {string} folder */
const isAbandoned = (folder) => {
  const age_ms = ageOf(folder)
  if (age_ms === undefined) return false
  if (age_ms > abandoned_after_ms) return true
  const holder = holderOf(folder)
  return holder !== undefined && holder.host === hostname() && !isRunning(Number(holder.pid))
}

/**
 * Two that find the same lock abandoned must not remove it one after the other: the second would remove the lock that
 * the first has just taken. So the removal has a lock of its own, under which the question is asked again.
 *
 * @param {string} folder
 */
const removeAbandoned = (folder) => {
  const guard = `${folder}.removal`
  try {
    mkdirSync(guard)
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error
    if ((ageOf(guard) ?? 0) > abandoned_after_ms) rmSync(guard, { recursive: true, force: true })
    return
  }
  try {
    if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true })
  } finally {
    rmSync(guard, { recursive: true, force: true })
  }
}

/** @param {string} folder */
const holderOf = (folder) => {
  try {
    const [pid = "", host = ""] = readFileSync(join(folder, "holder"), "utf8").split(" ")
    return host === "" ? undefined : { pid, host }
  } catch {
    return undefined
  }
}

/** @param {string} path */
const ageOf = (path) => {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return undefined
  }
}

/** @param {string} folder */
const touch = (folder) => {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // Taken over while this process was suspended; the work is finished all the same.
  }
}

/** @param {number} pid */
const isRunning = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, "EPERM")
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
const hasCode = (error, code) => error instanceof Error && "code" in error && error.code === code
