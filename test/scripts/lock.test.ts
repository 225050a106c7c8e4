// The lock that keeps two set-ups apart.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, stat, utimes } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { withLock } from "../../scripts/lock.mjs"
import { root } from "../../scripts/workspace.mjs"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

it("processes that request the lock at the same time work one after the other", async () => {
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

it("a waiting process reports it once, and continues when the lock is free", async () => {
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
    () => {
      order.push("waiting")
      waiting.resolve()
    },
    async () => {
      order.push("second is done")
    }
  )
  await Promise.all([first, second])
  expect(order).toEqual(["waiting", "first is done", "second is done"])
})

it("a lock that is no longer refreshed is taken over", async () => {
  const lock = join(folder, "silent")
  await mkdir(lock)
  await utimes(lock, 0, 0)
  expect(
    await withLock(
      lock,
      () => {},
      async () => "done"
    )
  ).toBe("done")
})

it("a lock is refreshed while it is held", async () => {
  const lock = join(folder, "long")
  await withLock(lock, unexpected, async () => {
    await utimes(lock, 0, 0)
    await expect.poll(async () => (await stat(lock)).mtimeMs).toBeGreaterThan(0)
  })
})

it("failed work releases the lock and passes its error on", async () => {
  const lock = join(folder, "failing")
  await expect(withLock(lock, unexpected, () => Promise.reject(new Error("no network")))).rejects.toThrow("no network")
  await expect(stat(lock)).rejects.toThrow("ENOENT")
})

const unexpected = () => {
  throw new Error("There is nobody to wait for.")
}

const deferred = () => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
