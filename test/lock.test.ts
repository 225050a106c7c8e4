// The lock that keeps two set-ups apart.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { withLock } from "../scripts/lock.mjs"
import { root } from "../scripts/workspace.mjs"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

it("processes that want the lock at once work one after the other", async () => {
  const lock = join(folder, "contended")
  const log = join(folder, "log")
  const program = `
    const { appendFileSync } = await import("node:fs")
    const { withLock } = await import(${JSON.stringify(join(root, "scripts", "lock.mjs"))})
    await withLock(${JSON.stringify(lock)}, () => {}, async () => {
      appendFileSync(${JSON.stringify(log)}, "in ")
      await new Promise((resolve) => setTimeout(resolve, 20))
      appendFileSync(${JSON.stringify(log)}, "out ")
    })`
  const processes = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" })
  )
  const codes = await Promise.all(processes.map(async (one) => (await once(one, "close"))[0]))
  expect(codes).toEqual([0, 0, 0, 0])
  expect(await readFile(log, "utf8")).toBe("in out ".repeat(4))
})

it("a process that waits says once for whom, and goes on when the lock is free", async () => {
  const lock = join(folder, "waiting")
  const order: Array<string> = []
  const holding = deferred()
  const waiting = deferred()
  const first = withLock(
    lock,
    () => order.push("never"),
    async () => {
      holding.resolve()
      await waiting.promise
      order.push("first is done")
    }
  )
  await holding.promise
  const second = withLock(
    lock,
    (holder) => {
      order.push(`waiting for ${holder}`)
      waiting.resolve()
    },
    async () => {
      order.push("second is done")
    }
  )
  await Promise.all([first, second])
  expect(order).toEqual([`waiting for ${process.pid}`, "first is done", "second is done"])
})

it("the lock of a process that has ended is taken over", async () => {
  const lock = join(folder, "ended")
  const { pid } = spawnSync(process.execPath, ["--eval", ""])
  await hold(lock, `${pid} ${hostname()}`)
  expect(await withLock(lock, unexpected, async () => "done")).toBe("done")
})

it("a lock that nobody has refreshed for long is taken over, whoever holds it", async () => {
  const lock = join(folder, "silent")
  await hold(lock, "1 another-host")
  await utimes(lock, 0, 0)
  expect(await withLock(lock, unexpected, async () => "done")).toBe("done")
})

it("work that fails frees the lock and passes its error on", async () => {
  const lock = join(folder, "failing")
  await expect(withLock(lock, unexpected, () => Promise.reject(new Error("no network")))).rejects.toThrow("no network")
  await expect(stat(lock)).rejects.toThrow("ENOENT")
})

it("a holder whose lock was taken over leaves the new one alone", async () => {
  const lock = join(folder, "taken")
  await withLock(lock, unexpected, () => writeFile(join(lock, "holder"), "1 another-host"))
  expect(await readFile(join(lock, "holder"), "utf8")).toBe("1 another-host")
})

const hold = async (lock: string, holder: string) => {
  await mkdir(lock)
  await writeFile(join(lock, "holder"), holder)
}

const unexpected = (holder: string) => {
  throw new Error(`Nobody should have been waited for, but ${holder} was.`)
}

const deferred = () => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
