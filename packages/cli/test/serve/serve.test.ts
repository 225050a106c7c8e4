import { connect } from "node:net"
import { Directory } from "@postcode/core/Directory"
import { asOperator, manage } from "@postcode/drills/Management"
import { type Service, serveSmallDirectory, startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { randomAlphanumeric } from "@postcode/node/secrets"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { listen } from "../../../widget/test/Listening.ts"
import { run } from "../RunCommand.ts"
import { halfSent } from "./HalfRequest.ts"

describe("the demonstration", () => {
  let service: Service

  beforeAll(async () => {
    service = await startService([])
  })
  afterAll(async () => {
    await service.stop()
  })

  it("prints a first screen of at most 100 columns, and ends it with the line that it is ready", () => {
    const lines = service.stderr().split("\n")
    expect(lines.filter((line) => line.length > 100)).toEqual([])
    expect(lines.slice(-2)).toEqual([`ready ${service.url}`, ""])
    expect(service.stderr()).toContain("250,000 units")
  })

  it("prints requests that work unchanged", async () => {
    const requests = requestsOf(service.stderr())
    expect(requests).toHaveLength(6)
    for (const { headers, url } of requests) {
      const response = await fetch(url, { headers })
      expect({ url, status: response.status }).toEqual({ url, status: 200 })
      expect(JSON.stringify(await response.json())).toMatch(/Ikeja|"found":true|"data":\[\{|"valid":true|Demonstration/)
    }
  })

  it("has an active key of each kind, and credits for both environments", async () => {
    const keys = [...service.stderr().matchAll(/(?<=key +)svc_\w+/g)].map(([key]) => key)
    expect(keys.map((key) => key.slice(0, -38))).toEqual(["svc_test_", "svc_live_", "svc_pk_"])
    for (const key of keys) {
      const { status } = await fetch(`${service.url}/v1/reference/states`, { headers: { "x-api-key": key } })
      expect(status).toBe(200)
    }
    expect(service.stderr()).toMatch(/credits +11,000 test, 10,000 live\n/)
  })

  it("has a browser key for the pages of this machine, by either of its names", async () => {
    const key = service.shown("browser key")
    expect(service.stderr()).toContain("for pages of http://localhost and http://127.0.0.1, ports 3000, 5173, 8080\n")
    const statusFor = async (origin: string) =>
      (await fetch(`${service.url}/v1/reference/states`, { headers: { "x-api-key": key, origin } })).status
    expect(await Promise.all(["http://localhost:8080", "http://127.0.0.1:8080"].map(statusFor))).toEqual([200, 200])
    expect(await statusFor("http://127.0.0.1:8081")).toBe(403)
  })
})

describe("a directory in files", () => {
  it("starts without an organization, and prints how to create one", async () => {
    const service = await serveSmallDirectory()
    expect(service.stderr()).toContain("orgs create")
    expect(service.stderr()).not.toMatch(/svc_|Demonstration|in a browser/)
    for (const path of ["/", "/demo/settings.json", "/demo/page.js", "/demo/picker/postcode-picker.js"]) {
      expect((await fetch(service.url + path)).status, path).toBe(404)
    }
    const ready = await (await fetch(`${service.url}/v1/health/ready`)).json()
    expect(ready).toMatchObject({
      data: { directory: { units: 1, version: expect.stringMatching(/^sha256-[0-9a-f]{12}$/) } }
    })
    const token = service.shown("operator")
    const headers = { authorization: `Bearer ${token}` }
    const organizations = await (await fetch(`${service.url}/v1/admin/organizations`, { headers })).json()
    expect(organizations).toEqual({ data: { organizations: [], next_cursor: null } })
    expect(await service.stop()).toBe(0)
  })

  it("that is bad is reported by line, and nothing is served", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, { ...smallDirectory, "places.csv": "code,name,zone\nLA,,\n" })
    const { code, stderr } = await run(["serve", "--port", "0", "--directory", folder.path])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^places\.csv:2: name: /m)
    expect(stderr).not.toContain("ready")
  })
})

describe("webhooks to a program on this machine", () => {
  const hook = { url: "http://127.0.0.1:4000/hooks" }
  const webhookAt = async ({ url }: Service) => {
    const { id } = await manage<{ readonly id: string }>(url, "POST", "/organizations", { name: "Shop" })
    return manage<{ readonly host: string }>(url, "POST", `/organizations/${id}/webhooks`, hook)
  }
  const token = { POSTCODE_OPERATOR_TOKEN: asOperator.authorization.slice("Bearer ".length) }

  it("are allowed in the demonstration that only this machine reaches", async () => {
    await using service = await startService([], token)
    expect(await webhookAt(service)).toMatchObject({ host: "127.0.0.1:4000" })
  })

  it.each([
    ["behind a proxy", ["--trusted-proxies", "127.0.0.1"]],
    ["with a public address", ["--public-url", "https://postcode.example"]],
    ["on all addresses", ["--host", "0.0.0.0"]]
  ])("are refused in a demonstration %s", async (_, args) => {
    await using service = await startService(args, token)
    await expect(webhookAt(service)).rejects.toThrow("begins with https://")
  })

  it("are refused on any other directory", async () => {
    await using service = await serveSmallDirectory([], token)
    await expect(webhookAt(service)).rejects.toThrow("begins with https://")
  })
})

describe("settings", () => {
  const operatorToken = randomAlphanumeric(512)
  let service: Service

  beforeAll(async () => {
    service = await startService(
      ["--address-rate-limit", "4", "--prices", "4=9,5=9", "--trusted-proxies", "127.0.0.1", "--access-log"],
      { POSTCODE_OPERATOR_TOKEN: operatorToken, POSTCODE_ADDRESS_RATE_LIMIT: "5000", POSTCODE_KEY_RATE_LIMIT: "77" }
    )
  })
  afterAll(async () => {
    await service.stop()
  })

  it("a page to buy credits on is checked at the start", async () => {
    for (const url of [
      "http://pay.example/{organization_id}",
      "https://pay.example/",
      "https://a:b@pay.example/{organization_id}"
    ]) {
      const { code, stderr } = await run(["serve", "--port", "0"], { env: { POSTCODE_BUY_CREDITS_URL: url } })
      expect(code, url).toBe(2)
      expect(stderr).toContain("expected an https address with {organization_id}")
    }
  })

  it("come from flags, or from the environment without a flag", async () => {
    expect(service.stderr()).not.toContain(operatorToken)
    expect(service.stderr()).toContain("Level 4 takes a key and 9 credits")
    const [lookup] = requestsOf(service.stderr()).filter(({ url }) => url.includes("level=4"))
    const paid = await fetch(lookup!.url, { headers: lookup!.headers })
    expect(Object.fromEntries(paid.headers)).toMatchObject({ "x-credits-charged": "9", "x-ratelimit-limit": "77" })

    const from = (address: string) =>
      fetch(`${service.url}/v1/lookup?code=LA12A03BG07`, { headers: { "x-forwarded-for": address } })
    const statuses: Array<number> = []
    for (let i = 0; i < 5; i++) statuses.push((await from("192.0.2.1")).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect((await from("192.0.2.2")).status).toBe(200)
  })

  it("an operator token of 512 characters opens the management API", async () => {
    const headers = { authorization: `Bearer ${operatorToken}`, "x-forwarded-for": "192.0.2.3" }
    expect((await fetch(`${service.url}/v1/admin/organizations`, { headers })).status).toBe(200)
  })

  it("the access log has a JSON line for each answer when the service has ended, and no secret", async () => {
    const [lookup] = requestsOf(service.stderr()).filter(({ url }) => url.includes("level=4"))
    const key = lookup!.headers["X-API-Key"] as string
    const before = service.stderr()
    const forwarded = { "x-forwarded-for": "192.0.2.4" }
    await fetch(lookup!.url, { headers: { ...lookup!.headers, ...forwarded, "x-request-id": "first" } })
    await fetch(`${service.url}/v1/nothing/${key}?key=${key}`, { headers: { ...forwarded, "x-request-id": "second" } })
    expect(await service.stop()).toBe(0)

    const log = service.stderr().slice(before.length)
    const lines = log
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ request_id }) => ["first", "second"].includes(request_id))).toEqual([
      expect.objectContaining({
        request_id: "first",
        operation: "lookup.single",
        status: 200,
        key_id: expect.stringMatching(/^key_/)
      }),
      expect.objectContaining({ request_id: "second", operation: "-", status: 404 })
    ])
    expect(log).not.toContain(key)
    expect(log).not.toContain(key.slice(-38))
  })

  it.each(["POSTCODE_OPERATOR_TOKEN", "POSTCODE_IDENTIFIER_PEPPER", "POSTCODE_SESSION_KEYS"])(
    "%s in another form than the documented one is refused at start, and not repeated",
    async (name) => {
      const { code, stderr, stdout } = await run(["serve"], { env: { [name]: "too short a one" } })
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(stderr).toContain(`${name}: expected`)
      expect(stderr).not.toContain("too short a one")
    }
  )

  it("a taken port is explained", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    const taken = await listen(() => {})
    const { port } = new URL(taken.url)
    const { code, stderr, stdout } = await run(["serve"], {
      env: { POSTCODE_PORT: port, POSTCODE_DIRECTORY: folder.path }
    })
    await taken.close()
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toMatch(new RegExp(`^error: port ${port} on 127\\.0\\.0\\.1 is taken: .*\\n$`, "m"))
  })
})

describe("a fault of the service", () => {
  it("is a 500 and a JSON line on standard error with its request and cause, and nothing on standard output", async () => {
    vi.spyOn(Directory.prototype, "status").mockImplementation(() => {
      throw new Error("the directory broke")
    })
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    let screen = ""
    const { stderr, stdout } = await run(["serve", "--port", "0", "--directory", folder.path], {
      during: async (stderr) => {
        await expect.poll(stderr).toMatch(/^ready /m)
        screen = stderr()
        const [, url] = /^ready (\S+)$/m.exec(screen) ?? []
        const response = await fetch(`${url}/v1/lookup?code=LA12A03BG07`, { headers: { "x-request-id": "broken" } })
        expect(response.status).toBe(500)
      }
    })
    expect(stdout).toBe("")
    const log = stderr.slice(screen.length).trimEnd().split("\n")
    expect(log.map((line) => JSON.parse(line))).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: "error",
        message: "request broken failed",
        cause: expect.stringContaining("the directory broke")
      }
    ])
  })
})

describe("signals", () => {
  it("SIGTERM during a request: new connections are refused, the request is answered, and the exit code is 0", async () => {
    const service = await serveSmallDirectory()
    const { finish } = await halfSent(service.url)
    const ended = service.stop("SIGTERM")
    await refused(new URL(service.url))
    await finish()
    expect(await ended).toBe(0)
  })

  it("SIGINT stops it, too, with exit code 130", async () => {
    const service = await serveSmallDirectory()
    expect(await service.stop("SIGINT")).toBe(130)
  })
})

interface ShownRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The curl commands of a first screen. */
const requestsOf = (screen: string): ReadonlyArray<ShownRequest> =>
  [...screen.matchAll(/^ {2}curl -sw '\\n' '([^']+)'(?: \\\n {4}-H '([^:]+): ([^']+)')?$/gm)].map(
    ([, url = "", name, value]) => ({ url, headers: name === undefined ? {} : { [name]: value as string } })
  )

/** Waits until nothing listens on a port any more. */
const refused = async ({ hostname, port }: URL): Promise<void> => {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const probe = connect(Number(port), hostname)
      probe.once("connect", () => {
        probe.destroy()
        resolve(true)
      })
      probe.once("error", () => resolve(false))
    })
    if (!isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
