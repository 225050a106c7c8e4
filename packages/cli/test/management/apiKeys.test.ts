/** API keys in profiles, and what `postcode status` and `postcode open` say of the service. */
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { manage } from "@postcode/drills/Management"
import { type Ended, type Service, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder } from "@postcode/drills/TemporaryFolder"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { jsonOf } from "../OperatorShell.ts"
import { type RunHereOptions, run } from "../RunCommand.ts"

describe("API keys in profiles", () => {
  let service: Service
  let org: string
  let key: string
  let managementKey: string
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  const newKey = async (overrides: object = {}): Promise<string> => {
    const body = { name: "test", kind: "secret", environment: "test", scopes: ["lookup", "search"], max_level: 2 }
    const path = `/organizations/${org}/keys`
    return (await manage<{ secret: string }>(service.url, "POST", path, { ...body, ...overrides })).secret
  }
  /** A command of a user whose configuration folder is empty at the beginning of the test. */
  const postcode = (args: ReadonlyArray<string>, { env, ...options }: RunHereOptions = {}): Promise<Ended> =>
    run(args, { env: { XDG_CONFIG_HOME: folder.path, ...env }, ...options })
  const answer = (...args: ReadonlyArray<string>) => jsonOf(postcode([...args, "--json"]))
  const login = (secret: string, ...args: ReadonlyArray<string>) =>
    postcode(["login", "--url", service.url, ...args], { stdin: `${secret}\n` })
  const file = (name = "default") => join(folder.path, "postcode", "profiles", `${name}.json`)

  beforeAll(async () => {
    service = await startService([], { POSTCODE_OPERATOR_TOKEN: operatorToken })
    org = (await manage<{ id: string }>(service.url, "POST", "/organizations", { name: "Kano Couriers" })).id
    await manage(service.url, "PATCH", `/organizations/${org}`, { granted_level: 2 })
    key = await newKey()
    const path = `/organizations/${org}/management-keys`
    const created = await manage<{ secret: string }>(service.url, "POST", path, { name: "test", role: "developer" })
    managementKey = created.secret
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => folder[Symbol.asyncDispose]())

  it("login stores an API key beside a management key, in a file that only the user can read", async () => {
    await login(managementKey)
    const { code, stderr, stdout } = await postcode(["login"], { stdin: key })
    expect({ code, stderr }).toEqual({ code: 0, stderr: `stored in ${file()}\n` })
    expect(stdout).toMatch(/^API key +svc_test_\w{4}…$/m)
    expect(stdout).toMatch(/^credits left +[\d,]+$/m)
    expect(stdout).not.toContain(key.slice(13))
    expect(JSON.parse(await readFile(file(), "utf8"))).toMatchObject({ url: service.url, token: managementKey, key })
    if (process.platform !== "win32") expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect(await answer("whoami")).toMatchObject({ organization_id: org })
    expect((await postcode(["profiles"])).stdout).toMatch(/^default +\S+ +svc_test_\w{4}… +developer +org_/m)
  })

  it("a profile for another service is replaced as a whole", async () => {
    await mkdir(join(file(), ".."), { recursive: true })
    await writeFile(file(), JSON.stringify({ url: "http://127.0.0.1:9", token: "another" }), { mode: 0o600 })
    await login(key)
    expect(JSON.parse(await readFile(file(), "utf8"))).toEqual({ url: service.url, key })
    const { code, stderr } = await postcode(["whoami"])
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr:
        "error: the profile default has no management key and no operator token: postcode login --profile default adds one\n"
    })
  })

  it("login stores no API key that the service refuses", async () => {
    for (const secret of [`svc_test_${"a".repeat(38)}`, `${key.slice(0, -1)}~`]) {
      const { code, stderr, stdout } = await login(secret)
      expect({ code, stdout }).toEqual({ code: 4, stdout: "" })
      expect(stderr).not.toContain(secret.slice(13))
    }
    await expect(stat(file())).rejects.toThrow("ENOENT")
  })

  it("lookup, find and enrich take the service and the key from the profile", async () => {
    await login(key)
    const paid = await postcode(["lookup", "LA-11-B03-PD-01", "--level", "2"])
    expect(paid).toMatchObject({ code: 0, stderr: expect.stringMatching(/^charged 1 credit; /) })
    const found = await postcode(["find", "Allen Avenue, Ikeja", "--url", service.url])
    expect(found.stdout).toMatch(/^precision +district$/m)
    expect(await postcode(["find", "Allen Avenue, Ikeja", "--profile", "default"])).toEqual(found)
    const rows = join(folder.path, "rows.csv")
    await writeFile(rows, "postcode\nLA-11-B03-PD-01\n")
    expect(await postcode(["enrich", rows, "--level", "2"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^credits charged +1$/m)
    })
  })

  it("without credits, the message names the command that adds them", async () => {
    await manage(service.url, "PATCH", `/organizations/${org}`, { kyb_status: "verified" })
    const env = { POSTCODE_KEY: await newKey({ environment: "live" }), POSTCODE_URL: service.url }
    const grant = "postcode credits grant ORG AMOUNT --environment live --reference TEXT"
    expect(await postcode(["lookup", "LA-11-B03-PD-01", "--level", "2"], { env })).toMatchObject({
      code: 5,
      stderr: `error: this request costs 1 credit and the balance is 0: nothing was charged; an operator adds credits with ${grant}\n`
    })
  })

  it("POSTCODE_KEY takes precedence over the default profile, and is refused together with --profile", async () => {
    await login(key)
    const env = { POSTCODE_KEY: `svc_test_${"a".repeat(38)}`, POSTCODE_URL: service.url }
    const lookUp = ["lookup", "LA-11-B03-PD-01"]
    const refused = await postcode(lookUp, { env })
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("; it comes from POSTCODE_KEY\n") })
    const named = await postcode([...lookUp, "--profile", "default"], { env })
    expect(named).toMatchObject({
      code: 2,
      stderr: "error: --profile already sets a key: omit POSTCODE_KEY\n"
    })
  })

  it("the key of a profile is sent to no other service", async () => {
    await login(key)
    const other = ["--url", "http://127.0.0.1:9"]
    const paid = await postcode(["lookup", "LA-11-B03-PD-01", "--level", "2", ...other])
    expect(paid).toMatchObject({
      code: 4,
      stderr:
        "error: this needs an API key: postcode login --url http://127.0.0.1:9 --profile NAME stores one, or set POSTCODE_KEY\n"
    })
    const named = await postcode(["lookup", "LA-11-B03-PD-01", "--profile", "default", ...other])
    expect(named).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`the profile default is for ${service.url}: leave out --url`)
    })
    const unknown = await postcode(["lookup", "LA-11-B03-PD-01", "--profile", "none"])
    expect(unknown.stderr).toBe("error: there is no profile none: postcode login --profile none stores one\n")
  })

  describe("postcode status", () => {
    it("shows the service, its directory, the keys and the balance", async () => {
      await login(managementKey)
      await login(key)
      const { code, stderr, stdout } = await postcode(["status"])
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toMatch(
        new RegExp(
          `^url +${service.url}\nservice +ready\ndirectory +version \\S+, .*[\\d,]+ active units\n` +
            "API key +svc_test_\\w{4}…, [\\d,]+ credits left \\(the profile default\\)\n" +
            "management +developer of Kano Couriers, [\\d,]+ test and 0 live credits \\(the profile default\\)\n$"
        )
      )
      expect(await answer("status")).toMatchObject({
        url: service.url,
        service: { status: "ready" },
        api_key: { status: "accepted", source: "the profile default" },
        management: { status: "accepted", organization_id: org, credits: { live: 0 } }
      })
    })

    it("fails with 4 without any key, and where one is refused", async () => {
      const none = await postcode(["status", "--url", service.url])
      expect(none).toMatchObject({
        code: 4,
        stdout: expect.stringMatching(/^API key +none\nmanagement +none$/m),
        stderr: `error: there is no key for ${service.url}: postcode login --url ${service.url} stores one\n`
      })
      const secret = await newKey()
      await login(secret)
      const { keys } = await manage<{ keys: ReadonlyArray<{ id: string }> }>(
        service.url,
        "GET",
        `/organizations/${org}/keys`
      )
      await manage(service.url, "DELETE", `/keys/${keys[0]?.id}`)
      const refused = await postcode(["status"])
      expect(refused).toMatchObject({
        code: 4,
        stdout: expect.stringMatching(/^API key +refused \(the profile default\)\nmanagement +none$/m),
        stderr:
          "error: the API key is unknown or revoked; it is in the profile default: postcode login --profile default replaces it\n"
      })
    })

    it("sends no key of the default profile to another service, and names the profile that it needs", async () => {
      await login(managementKey)
      await login(key)
      const other = service.url.replace("127.0.0.1", "localhost")
      const without = await postcode(["status", "--url", other])
      expect(without).toMatchObject({
        code: 4,
        stdout: expect.stringMatching(
          new RegExp(`^url +${other}\nservice +ready\n[^]*^API key +none\nmanagement +none$`, "m")
        ),
        stderr: `error: there is no key for ${other}: postcode login --url ${other} --profile NAME stores one\n`
      })
      await postcode(["login", "--url", other, "--profile", "kano"], { stdin: key })
      const named = await postcode(["status", "--url", other])
      expect(named.stderr).toBe(`error: there is no key for ${other}: --profile kano has one\n`)
      expect(await postcode(["status", "--profile", "kano"])).toMatchObject({ code: 0, stderr: "" })
    })

    it("fails with 1 where no service responds, and says how to start one", async () => {
      const { code, stderr, stdout } = await postcode(["status", "--url", "http://127.0.0.1:9"], {
        env: { POSTCODE_KEY: key }
      })
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout:
          "url         http://127.0.0.1:9\nservice     unavailable\nAPI key     not checked (POSTCODE_KEY)\nmanagement  none\n"
      })
      expect(stderr).toMatch(/^error: could not reach http:\/\/127\.0\.0\.1:9: postcode serve starts a service here/)
    })
  })

  describe("postcode open", () => {
    it.each([
      ["console", "/console/"],
      ["docs", "/v1/docs"],
      ["demo", "/"]
    ])("prints the address of %s where there is no terminal", async (page, path) => {
      const opened = await postcode(["open", page, "--url", service.url])
      expect(opened).toEqual({ code: 0, stdout: `${service.url}${path}\n`, stderr: "" })
    })

    it.skipIf(process.platform === "win32")("opens the console of the profile's service on a terminal", async () => {
      await login(key)
      const seen = join(folder.path, "seen")
      for (const name of ["open", "xdg-open"]) {
        await writeFile(join(folder.path, name), `#!/bin/sh\nprintf %s "$1" > '${seen}'\n`)
        await chmod(join(folder.path, name), 0o755)
      }
      const env = { PATH: `${folder.path}:${process.env.PATH}` }
      const { code, stdout } = await postcode(["open"], { terminal: true, env })
      expect({ code, stdout }).toEqual({ code: 0, stdout: `${service.url}/console/\n` })
      await vi.waitFor(async () => expect(await readFile(seen, "utf8")).toBe(`${service.url}/console/`), 10_000)
      const without = await postcode(["open"], { terminal: true, env: { PATH: "" } })
      expect(without).toMatchObject({ code: 0, stderr: expect.stringMatching(/^no browser was opened: /) })
    })
  })
})
