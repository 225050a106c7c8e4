/** `postcode serve --workers`: the command with several threads behaves as it does with one, and outlives them. */
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { workerCount } from "../src/commands/serve.ts"
import { run } from "./RunCommand.ts"
import { type Service, serveSmallDirectory, startService } from "./StartCommand.ts"
import { halfSent } from "./serve/HalfRequest.ts"
import { smallDirectory, temporaryFolder, writeFiles } from "./TemporaryFolder.ts"

describe("the demonstration with two workers", () => {
  let service: Service

  beforeAll(async () => {
    service = await startService(["--access-log"], { POSTCODE_WORKERS: "2" })
  })
  afterAll(async () => {
    await service.stop()
  })

  it("says how many threads there are, and last that it is ready, once", () => {
    expect(service.stderr()).toMatch(/^ {2}workers {8}2 threads share the port, the directory and the storage$/m)
    expect(service.stderr().split("\n").slice(-2)).toEqual([`ready ${service.url}`, ""])
    expect(service.stderr().match(/^ready /gm)).toHaveLength(1)
  })

  it("has one demonstration organization, whose keys all threads know", async () => {
    const token = service.shown("operator")
    const key = service.shown("live key")
    const headers = { authorization: `Bearer ${token}`, connection: "close" }
    const organizations = await (await fetch(`${service.url}/v1/admin/organizations`, { headers })).json()
    expect(organizations).toMatchObject({
      data: {
        organizations: [{ name: "Demonstration without credits Ltd" }, { name: "Demonstration Ltd" }],
        next_cursor: null
      }
    })
    const postcode = /lookup\?code=([\w-]+)/.exec(service.stderr())?.[1]
    const remaining: Array<number> = []
    for (let i = 0; i < 20; i++) {
      const paid = await fetch(`${service.url}/v1/lookup?code=${postcode}&level=2`, {
        headers: { "x-api-key": key, connection: "close" }
      })
      remaining.push(Number(paid.headers.get("x-credits-remaining")))
    }
    expect(remaining).toEqual(Array.from({ length: 20 }, (_, i) => 9_999 - i))
  })

  it("has the access log of all threads on standard error, whole once it has ended", async () => {
    const count = () =>
      service.stderr().match(/^\{"at":.*"operation":"search\.autocomplete","status":200,.*\}$/gm)?.length
    const asks = Array.from({ length: 50 }, () => fetch(`${service.url}/v1/search/autocomplete?q=LA`))
    for (const response of await Promise.all(asks)) await response.text()
    expect(await service.stop()).toBe(0)
    expect(count()).toBe(50)
  })
})

describe("a worker that ends", () => {
  it("by an error that no one caught, or for want of memory, is replaced, and the service goes on", async () => {
    await using folder = await temporaryFolder()
    const breaks = `import { Server } from "node:http"
      import { isMainThread } from "node:worker_threads"
      const { emit } = Server.prototype
      if (!isMainThread) {
        Server.prototype.emit = function (event, request, ...rest) {
          if (request?.url === "/throw") setImmediate(() => { throw new Error("a worker broke") })
          if (request?.url === "/exhaust") for (const all = []; ; ) all.push(new Array(1_000_000).fill(0.5))
          return emit.call(this, event, request, ...rest)
        }
      }`
    await writeFiles(folder.path, { "break.mjs": breaks })
    const service = await startService(["--workers", "3"], {
      NODE_OPTIONS: `--import=${join(folder.path, "break.mjs")}`
    })
    const replacements = () =>
      service
        .stderr()
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line))
    const key = service.shown("test key")
    const ask = (path: string) =>
      fetch(`${service.url}${path}`, { headers: { "x-api-key": key, connection: "close" } })
        .then(({ status }) => status)
        .catch(() => undefined)

    await ask("/throw")
    await expect.poll(() => replacements().length).toBe(1)
    expect(await ask("/v1/lookup?code=LA12A03BG07")).toBe(200)
    expect(await ask("/exhaust")).toBe(undefined)
    await expect.poll(() => replacements().length).toBe(2)
    expect(await ask("/v1/lookup?code=LA12A03BG07")).toBe(200)
    expect(await service.stop()).toBe(0)

    const expected = { at: expect.stringMatching(/^\d{4}-/), level: "error" }
    expect(replacements()).toEqual([
      {
        ...expected,
        message: expect.stringMatching(/^worker [123] ended and is replaced at once: a worker broke$/),
        cause: expect.stringContaining("break.mjs")
      },
      {
        ...expected,
        message: expect.stringMatching(/^worker [123] ended and is replaced (at once|in 100 ms): .*memory limit/),
        cause: expect.any(String)
      }
    ])
  })
})

describe("signals", () => {
  it("SIGTERM in the middle of requests of all workers: each is answered, exit 0", async () => {
    const service = await serveSmallDirectory(["--workers", "2"])
    const requests = await Promise.all(Array.from({ length: 12 }, () => halfSent(service.url)))
    const ended = service.stop("SIGTERM")
    await Promise.all(requests.map(({ finish }) => finish()))
    expect(await ended).toBe(0)
  })

  it("SIGINT stops it as well, and is told by exit 130", async () => {
    const service = await serveSmallDirectory(["--workers", "2"])
    expect(await service.stop("SIGINT")).toBe(130)
  })
})

describe("--workers", () => {
  it("a port that the workers of another service share is taken", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    const service = await startService(["--workers", "2", "--directory", folder.path])
    const { port } = new URL(service.url)
    for (const workers of ["1", "2"]) {
      const { code, stderr } = await run(["serve", "--port", port, "--workers", workers, "--directory", folder.path])
      expect(code).toBe(1)
      expect(stderr).toMatch(new RegExp(`^error: port ${port} on 127\\.0\\.0\\.1 is taken: .*\\n$`, "m"))
    }
    expect(await service.stop()).toBe(0)
  })

  it.each(["1", "2", "64"])("takes 1 to 64: %s", (given) => {
    expect(workerCount(given)).toEqual(Result.succeed(Number(given)))
  })

  it("takes auto for one a processor, but no more than 64", () => {
    expect(workerCount("auto")).toEqual(Result.succeed(Math.min(availableParallelism(), 64)))
  })

  it.each(["0", "65", "-1", "1.5", "two", "AUTO", ""])("takes nothing else: %j", (given) => {
    expect(workerCount(given)).toEqual(Result.fail("a whole number from 1 to 64, or auto"))
  })
})
