/** `postcode serve --workers`: the command with several processes behaves as it does with one, and outlives them. */
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { operatorToken, postcodes, readMetrics } from "@postcode/conformance/wire"
import { makeFixtureDatabase } from "@postcode/drills/FixtureDatabase"
import { environmentOn, fetchAgain, makeCustomer } from "@postcode/drills/Installation"
import { makeMigratedDatabase, type TestDatabase } from "@postcode/drills/postgres"
import { runProcess, type Service, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { workerCount } from "../../src/commands/serve.ts"
import { run } from "../RunCommand.ts"
import { expectConsole } from "../serve/ConsoleFiles.ts"
import { halfSent } from "../serve/HalfRequest.ts"

const lookup = `/v1/lookup?code=${postcodes.full}&level=2`

let database: TestDatabase

beforeAll(async () => {
  database = await makeFixtureDatabase()
})
afterAll(() => database.drop())

const serve = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Service> =>
  startService(args, { ...environmentOn(database.url), ...env })

describe("two workers with two hosts", () => {
  let service: Service

  beforeAll(async () => {
    const ports = ["--operations-port", "0", "--platform-port", "0", "--gateway-url", "https://gateway.example"]
    service = await serve(["--access-log", ...ports], { POSTCODE_WORKERS: "2" })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const metrics = async () => (await fetch(service.shown("metrics"))).text()

  it("print the number of workers, and at the end once that they are ready", () => {
    expect(service.stderr()).toMatch(/^ {2}workers {8}2 processes share the port and the storage$/m)
    expect(service.stderr().split("\n").slice(-2)).toEqual([`ready ${service.url}`, ""])
    expect(service.stderr().match(/^ready /gm)).toHaveLength(1)
  })

  it("are counted together, and no label contains text of a request", async () => {
    const platform = service.shown("widget")
    const { secret: key } = await makeCustomer(service, 1_000)
    const code = postcodes.full
    const ask = async (url: string, headers: Record<string, string> = {}) =>
      await (await fetchAgain(url, { headers: { ...headers, connection: "close" } })).text()
    for (let i = 0; i < 10; i++) {
      await ask(`${service.url}/v1/lookup?code=${code}&level=3`, { "x-api-key": key, "x-request-id": `id-${key}` })
      await ask(`${service.url}/v1/search/autocomplete?q=${key}`)
      await ask(`${service.url}/v1/${key}?key=${key}`)
      await ask(`${platform}/v1/widget/bookmarks`, { authorization: `Bearer ${key}` })
    }
    const response = await fetch(service.shown("metrics"))
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    const text = await response.text()
    const metrics = readMetrics(text)
    const requests = [...metrics.get("postcode_http_requests_total")!.samples]
    const ofCallers = requests.filter(([name]) => !/operation="management\.|status="503"/.test(name))
    expect(new Map(ofCallers)).toEqual(
      new Map([
        ['postcode_http_requests_total{operation="-",status="404",error="not_found"}', 10],
        ['postcode_http_requests_total{operation="search.autocomplete",status="200"}', 10],
        ['postcode_http_requests_total{operation="lookup.single",status="200"}', 10],
        ['postcode_http_requests_total{operation="widget.bookmarks",status="401",error="invalid_token"}', 10]
      ])
    )
    expect(metrics.get("postcode_credits_charged_total")?.samples).toEqual(
      new Map([['postcode_credits_charged_total{operation="lookup.single",level="3",environment="live"}', 20]])
    )
    for (const secret of [key, key.slice(9), code, "127.0.0.1"]) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/\b(key|org)_/)
  })

  it("report measurements for each process", async () => {
    const families = readMetrics(await metrics())
    const processes = [...families.get("postcode_event_loop_last_tick_timestamp_seconds")!.samples.keys()]
    expect(processes.map((key) => /process="([^"]+)"/.exec(key)?.[1])).toEqual(["main", "worker 1", "worker 2"])
    expect(families.get("postcode_ready")?.samples.get("postcode_ready")).toBe(1)
    expect([...families.get("postcode_directory_info")!.samples]).toEqual([
      ['postcode_directory_info{version="fixture-1",date="2026-01-31"}', 1]
    ])
  })

  it("know the same keys, and charge one balance", async () => {
    const { secret } = await makeCustomer(service, 10_000)
    const remaining: Array<number> = []
    for (let i = 0; i < 20; i++) {
      const paid = await fetchAgain(`${service.url}${lookup}`, {
        headers: { "x-api-key": secret, connection: "close" }
      })
      remaining.push(Number(paid.headers.get("x-credits-remaining")))
    }
    expect(remaining).toEqual(Array.from({ length: 20 }, (_, i) => 9_999 - i))
  })

  it("have the console on the gateway's host alone", async () => {
    for (let i = 0; i < 4; i++) await expectConsole(service)
    expect(service.shown("console").split("#join=")[0]).toBe(`${service.url}/console/`)
  })

  it("serve the widget's page and its endpoints on a separate host", async () => {
    const { url } = service
    const platform = service.shown("widget")
    expect(platform).not.toBe(url)
    const { secret } = await makeCustomer(service, 10, { kind: "publishable", scopes: ["search"], max_level: 1 })
    const started = await fetchAgain(`${platform}/v1/widget/session`, {
      method: "POST",
      headers: { "x-api-key": secret, "content-type": "application/json" },
      body: JSON.stringify({ identifier: "ada@example.ng" })
    })
    const { data } = (await started.json()) as { readonly data: { readonly token: string } }
    const statusOf = async (target: string, bearer?: string) =>
      (
        await fetchAgain(target, {
          headers: { connection: "close", ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) }
        })
      ).status
    for (let i = 0; i < 6; i++) {
      expect(await statusOf(`${platform}/v1/widget/bookmarks`, data.token)).toBe(200)
      const page = await fetch(`${platform}/v1/widget/embed`, { headers: { connection: "close" } })
      expect(page.status).toBe(200)
      expect(await page.text()).toMatch(/<script type="module">.{10000,}<\/script>/s)
    }
    for (const health of ["live", "ready"]) expect(await statusOf(`${platform}/v1/health/${health}`)).toBe(200)
    expect(await statusOf(`${platform}/v1/search/autocomplete`)).toBe(404)
    expect(await statusOf(`${platform}/v1/admin/organizations`, operatorToken)).toBe(404)
    expect(await statusOf(`${url}/v1/search/autocomplete`)).toBe(200)
    expect(await statusOf(`${url}/v1/widget/bookmarks`, data.token)).toBe(404)
  })

  it("write the access log of all workers to standard error before they end, and both hosts end", async () => {
    const logged = (operation: string, status: number) =>
      service.stderr().match(new RegExp(`^\\{"at":.*"operation":"${operation}","status":${status},.*\\}$`, "gm"))
        ?.length
    const asks = Array.from({ length: 50 }, () => fetch(`${service.url}/v1/search/nearby?lat=6.6&lng=3.35`))
    for (const response of await Promise.all(asks)) await response.text()
    expect(await service.stop()).toBe(0)
    expect(logged("search\\.nearby", 200)).toBe(50)
    expect(logged("widget\\.bookmarks", 200)).toBe(6)
    for (const url of [service.url, service.shown("widget")])
      await expect(fetch(`${url}/v1/health/live`)).rejects.toThrow()
  })
})

describe("a worker that ends", () => {
  it("because of an uncaught error or lack of memory is replaced, and the counters continue", async () => {
    await using folder = await temporaryFolder()
    const breaks = `import { Server } from "node:http"
      import cluster from "node:cluster"
      const { emit } = Server.prototype
      if (cluster.isWorker) {
        Server.prototype.emit = function (event, request, ...rest) {
          if (request?.url === "/throw") setImmediate(() => { throw new Error("a worker broke") })
          if (request?.url === "/exhaust") for (const all = []; ; ) all.push(new Array(1_000_000).fill(0.5))
          return emit.call(this, event, request, ...rest)
        }
      }`
    await writeFiles(folder.path, { "break.mjs": breaks })
    await using service = await serve(["--workers", "3", "--operations-port", "0"], {
      NODE_OPTIONS: `--max-old-space-size=256 --import=${join(folder.path, "break.mjs")}`
    })
    const replacements = () =>
      service
        .stderr()
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line))
        // A busy machine is late in hearing from the database, which is a warning.
        .filter(({ level }) => level === "error")
    const { secret: key } = await makeCustomer(service, 10)
    const ask = (path: string) =>
      fetchAgain(`${service.url}${path}`, { headers: { "x-api-key": key, connection: "close" } })
        .then(({ status }) => status)
        .catch(() => undefined)

    const counted = async () => {
      const families = readMetrics(await (await fetch(service.shown("metrics"))).text())
      return [...families.get("postcode_http_requests_total")!.samples.values()].reduce((sum, count) => sum + count)
    }

    for (let i = 0; i < 30; i++) expect(await ask("/v1/search/nearby?lat=6.6&lng=3.35")).toBe(200)
    const before = await counted()
    expect(before).toBeGreaterThanOrEqual(30)
    await ask("/throw")
    await expect.poll(() => replacements().length).toBe(1)
    expect(await counted()).toBeGreaterThanOrEqual(before)
    expect(await ask(lookup)).toBe(200)
    expect(await ask("/exhaust")).toBe(undefined)
    await expect.poll(() => replacements().length).toBe(2)
    expect(await ask(lookup)).toBe(200)
    expect(await counted()).toBeGreaterThan(before)
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
        message: expect.stringMatching(
          /^worker [123] ended and is replaced (at once|in 100 ms): its process got SIGABRT$/
        )
      }
    ])
  })
})

describe("signals", () => {
  it("SIGTERM in the middle of requests of all workers: each is answered, exit 0", async () => {
    await using service = await serve(["--workers", "2"])
    const requests = await Promise.all(Array.from({ length: 12 }, () => halfSent(service.url)))
    const ended = service.stop("SIGTERM")
    await Promise.all(requests.map(({ finish }) => finish()))
    expect(await ended).toBe(0)
  })

  it("SIGINT stops it, too, with exit code 130", async () => {
    await using service = await serve(["--workers", "2"])
    expect(await service.stop("SIGINT")).toBe(130)
  })
})

describe("--workers", () => {
  it("refuses a port that the workers of another service use", async () => {
    const env = environmentOn(database.url)
    const service = await serve(["--workers", "2"])
    const { port } = new URL(service.url)
    for (const workers of ["1", "2"]) {
      const { code, stderr } = await runProcess(["serve", "--port", port, "--workers", workers], { env })
      expect(code).toBe(1)
      expect(stderr).toMatch(new RegExp(`^error: port ${port} on 127\\.0\\.0\\.1 is taken: .*\\n$`, "m"))
    }
    expect(await service.stop()).toBe(0)
  })

  it("ends with the reason of a worker that cannot start", async () => {
    const { drop, url } = await makeMigratedDatabase()
    const { code, stderr } = await runProcess(["serve", "--port", "0", "--workers", "2"], { env: environmentOn(url) })
    await drop()
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: the database holds no directory yet: load one with postcode import PATH.*\n$/m)
  })

  it("ends with the reason if the workers cannot listen", async () => {
    const args = ["serve", "--port", "0", "--workers", "2", "--host", "192.0.2.1"]
    const { code, stderr } = await runProcess(args, { env: environmentOn(database.url) })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: could not listen on 192\.0\.2\.1:\d+: .*\n$/m)
  })

  it("requires a database for more than one, and the error names both remedies", async () => {
    const { code, stderr, stdout } = await run(["serve", "--workers", "2"])
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error: --workers: 2 processes need a database, which they share: set --data or --database-url, " +
        "or serve with --workers 1\n"
    })
  })

  it.each(["1", "2", "64"])("accepts 1 to 64: %s", (given) => {
    expect(workerCount(given)).toEqual(Result.succeed(Number(given)))
  })

  it("accepts auto for one worker per processor, at most 64", () => {
    expect(workerCount("auto")).toEqual(Result.succeed(Math.min(availableParallelism(), 64)))
  })

  it.each(["0", "65", "-1", "1.5", "two", "AUTO", ""])("refuses %j", (given) => {
    expect(workerCount(given)).toEqual(Result.fail("a whole number from 1 to 64, or auto"))
  })
})
