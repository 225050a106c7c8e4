/** Management with an organization's own key, from the environment and from profiles. */
import { chmod, readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { manage, managing } from "@postcode/drills/Management"
import { type Ended, type Service, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder } from "@postcode/drills/TemporaryFolder"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { jsonOf } from "../OperatorShell.ts"
import { type RunHereOptions, run } from "../RunCommand.ts"

interface ManagementKey {
  readonly id: string
  readonly secret: string
}

describe("management with a key of the organization", () => {
  let service: Service
  let org: string
  let key: ManagementKey
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  const newKey = (role: string, organization = org): Promise<ManagementKey> =>
    manage(service.url, "POST", `/organizations/${organization}/management-keys`, { name: "test", role })
  const newOrganization = async (name: string) =>
    (await manage<{ readonly id: string }>(service.url, "POST", "/organizations", { name })).id

  /** A command of a user whose configuration folder is empty at the beginning of the test. */
  const postcode = (args: ReadonlyArray<string>, { env, ...options }: RunHereOptions = {}): Promise<Ended> =>
    run(args, { env: { XDG_CONFIG_HOME: folder.path, ...env }, ...options })
  const answer = (...args: ReadonlyArray<string>) => jsonOf(postcode([...args, "--json"]))
  const login = (token: string, args: ReadonlyArray<string> = [], options: RunHereOptions = {}) =>
    postcode(["login", "--url", service.url, ...args], { stdin: `${token}\n`, ...options })
  const file = (name = "default") => join(folder.path, "postcode", "profiles", `${name}.json`)

  beforeAll(async () => {
    service = await startService([], { POSTCODE_OPERATOR_TOKEN: operatorToken })
    org = await newOrganization("Kano Couriers")
    key = await newKey("developer")
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => folder[Symbol.asyncDispose]())

  it("login stores a key that only the user can read, and prints nothing of it", async () => {
    const { code, stderr, stdout } = await login(key.secret)
    expect({ code, stderr }).toEqual({ code: 0, stderr: `stored in ${file()}\n` })
    expect(stdout).toMatch(/^profile +default$/m)
    expect(stdout).toMatch(/^credential +management key$/m)
    expect(stdout).toMatch(/^role +developer$/m)
    expect(stdout).toMatch(/^name +Kano Couriers$/m)
    expect(stdout).not.toContain(key.secret.slice(7))
    if (process.platform !== "win32") {
      expect((await stat(file())).mode & 0o777).toBe(0o600)
      expect((await stat(join(file(), ".."))).mode & 0o777).toBe(0o700)
    }
    expect(await readdir(join(file(), ".."))).toEqual(["default.json"])
  })

  it("commands take the key and its organization from the profile, and the audit log names the key", async () => {
    await login(key.secret)
    expect(await answer("whoami")).toMatchObject({ credential: "management_key", actor: key.id, organization_id: org })
    const made = await answer("keys", "create", "--name", "by a program", "--max-level", "1")
    expect(made).toMatchObject({ organization_id: org, name: "by a program" })
    expect(await answer("keys", "list")).toMatchObject({ keys: [{ id: made.id }] })
    expect(await answer("orgs", "show")).toMatchObject({ id: org })
    expect(await answer("credits", "show")).toMatchObject({ balance: 1_000 })
    expect(await answer("credits", "usage")).toMatchObject({ usage: [] })
    expect(await answer("members", "list")).toMatchObject({ accounts: [] })
    expect((await postcode(["credits", "entries"])).stdout.split("\n")).toHaveLength(3)
    expect(await answer("keys", "revoke", made.id)).toMatchObject({ id: made.id })
    const { events } = await manage<{ events: ReadonlyArray<object> }>(service.url, "GET", `/audit?actor=${key.id}`)
    expect(events).toMatchObject([{ action: "key.revoked" }, { action: "key.created" }])
  })

  it("a key in the environment needs no profile, and finds its organization", async () => {
    const env = { POSTCODE_URL: service.url, POSTCODE_MANAGEMENT_KEY: key.secret }
    expect((await postcode(["credits", "show"], { env })).stdout).toMatch(/^test balance +1,000$/m)
    const piped = await postcode(["credits", "show", "--url", service.url, "--token-stdin"], { stdin: key.secret })
    expect(piped.stdout).toMatch(/^test balance +1,000$/m)
  })

  it("a call that the role may not make ends with 4, and another organization with 1", async () => {
    await login((await newKey("billing")).secret)
    expect(await postcode(["keys", "list"])).toMatchObject({ code: 4, stdout: "" })
    expect(await postcode(["credits", "show", await newOrganization("Other")])).toMatchObject({ code: 1, stdout: "" })
  })

  it("login stores nothing that the service refuses", async () => {
    for (const token of [`${key.secret.slice(0, -1)}~`, "not-a-token-of-this-service", ""]) {
      const { code, stderr, stdout } = await login(token)
      expect({ code, stdout }).toEqual({ code: token === "" ? 2 : 4, stdout: "" })
      if (token !== "") expect(stderr).not.toContain(token.slice(7))
    }
    await expect(stat(file())).rejects.toThrow("ENOENT")
  })

  it("a token as an argument is refused, and not repeated", async () => {
    const { code, stderr } = await postcode(["login", key.secret])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: postcode login takes no argument: it reads the key from standard input/)
    expect(stderr).not.toContain(key.secret.slice(7))
  })

  it("on a terminal, login --with-key prompts for the token without showing it, and Ctrl-C stores nothing", async () => {
    const typed = await login(`x\u007f${key.secret}`, ["--with-key"], { terminal: true })
    expect(typed.code).toBe(0)
    const prompt = `API key, management key or operator token for ${service.url} (not shown): `
    expect(typed.stderr).toContain(`[hidden]${prompt}[shown]\n`)
    expect(typed.stdout + typed.stderr).not.toContain(key.secret.slice(7))
    expect(await answer("whoami")).toMatchObject({ actor: key.id })
    expect(await login("half a tok\u0003", ["--profile", "other", "--with-key"], { terminal: true })).toMatchObject({
      code: 130
    })
    await expect(stat(file("other"))).rejects.toThrow("ENOENT")
  })

  it("on a terminal, login gets a key of this computer once an account agrees; logout revokes it", async () => {
    const { cookie, origin } = await signedIn(service.url, org)
    const agree = async (user_code: string) => {
      const agreed = await fetch(`${service.url}/v1/admin/organizations/${org}/device-logins`, {
        method: "POST",
        headers: { cookie, origin, "sec-fetch-site": "same-origin", "content-type": "application/json" },
        body: JSON.stringify({ user_code })
      })
      expect(agreed.status).toBe(200)
    }
    const said = async (stderr: () => string, pattern: RegExp): Promise<string> => {
      for (;;) {
        const [found] = pattern.exec(stderr()) ?? []
        if (found !== undefined) return found
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const { stderr, stdout } = await login("", [], {
      terminal: true,
      during: async (stderr) => {
        const page = await said(stderr, /open \S+/)
        expect(page).toMatch(new RegExp(`^open ${service.url}/console/#/device\\?code=[A-Z]{4}-[A-Z]{4}$`))
        await agree(page.slice(-9))
        await said(stderr, /stored in .*\n/)
      }
    })
    expect(stdout).toMatch(/^role +developer$/m)
    expect(stdout + stderr).not.toMatch(/svc_mk_\w{10}/)
    expect((await stat(file())).mode & 0o077).toBe(0)
    const { actor } = await answer("whoami")
    const own = async () => {
      const path = `/organizations/${org}/management-keys`
      const { management_keys } = await manage<{ management_keys: ReadonlyArray<ManagementKey> }>(
        service.url,
        "GET",
        path
      )
      return management_keys.find(({ id }) => id === actor)
    }
    expect(await own()).toMatchObject({ name: expect.stringMatching(/^Login of ./), status: "active" })
    expect((await postcode(["logout"])).stderr).toBe("removed the profile default, and revoked its management key\n")
    expect(await own()).toMatchObject({ status: "revoked" })
    await expect(stat(file())).rejects.toThrow("ENOENT")
  })

  it("profiles are listed without tokens, chosen by flag or environment, replaced and removed", async () => {
    const other = await newOrganization("Other")
    const theirs = await newKey("owner", other)
    await login(key.secret)
    await login(operatorToken, ["--profile", "theirs"])
    await login(theirs.secret, ["--profile", "theirs"])
    const listed = await postcode(["profiles"])
    expect(listed.stdout).toMatch(
      new RegExp(`^default +${service.url} +developer +${org} +Kano Couriers +${key.id}$`, "m")
    )
    expect(listed.stdout).toMatch(new RegExp(`^theirs +${service.url} +owner +${other} +Other +${theirs.id}$`, "m"))
    expect((await answer("profiles")).profiles).toHaveLength(2)
    for (const secret of [key.secret, theirs.secret]) expect(listed.stdout).not.toContain(secret.slice(7))

    const env = { POSTCODE_PROFILE: "theirs" }
    expect(await answer("orgs", "show", "--profile", "theirs")).toMatchObject({ id: other })
    expect((await postcode(["orgs", "show"], { env })).stdout).toContain(other)
    expect((await postcode(["orgs", "show", "--profile", "default"], { env })).stdout).toContain(org)

    const removed = await postcode(["logout"], { env })
    expect(removed).toMatchObject({ code: 0, stdout: "" })
    expect(removed.stderr).toContain("removed the profile theirs; its keys stay valid")
    expect(await postcode(["logout"], { env })).toMatchObject({ code: 1, stdout: "" })
    const gone = await postcode(["orgs", "show"], { env })
    expect(gone).toMatchObject({ code: 1, stdout: "" })
    expect(gone.stderr).toContain("there is no profile theirs: postcode login --profile theirs stores one")
    expect(await answer("orgs", "show")).toMatchObject({ id: org })
  })

  it("a token in the environment takes precedence over the default profile, and is refused together with --profile", async () => {
    await login(key.secret)
    const env = managing(service.url)
    const { stdout } = await postcode(["whoami"], { env })
    expect(stdout).toMatch(/^credential +operator token$/m)
    const named = await postcode(["whoami", "--profile", "default"], { env })
    expect(named).toMatchObject({ code: 2, stdout: "" })
    expect(named.stderr).toContain("--profile already sets a token: omit POSTCODE_OPERATOR_TOKEN")
    const again = await login(key.secret, [], { env })
    expect(again.stderr).toContain("POSTCODE_OPERATOR_TOKEN is set, and goes before profiles")
  })

  it("the token of a profile is sent to no other service", async () => {
    await login(key.secret)
    const { code, stderr } = await postcode(["whoami", "--url", "http://127.0.0.1:9"])
    expect(code).toBe(4)
    const other = "there is no management key for http://127.0.0.1:9"
    const hint = "postcode login --url http://127.0.0.1:9 --profile NAME stores one"
    expect(stderr).toContain(`${other}: the default profile is for ${service.url}; ${hint}`)
    const named = await postcode(["whoami", "--url", "http://127.0.0.1:9", "--profile", "default"])
    expect(named).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`the profile default is for ${service.url}`)
    })
    expect(await answer("whoami", "--url", `${service.url}/`)).toMatchObject({ actor: key.id })
  })

  it.skipIf(process.platform === "win32")(
    "a profile that others can read, or that is damaged, is not used",
    async () => {
      await login(key.secret)
      await chmod(file(), 0o640)
      const readable = await postcode(["whoami"])
      expect(readable).toMatchObject({ code: 4, stdout: "" })
      expect(readable.stderr).toContain(`others can read ${file()}: chmod 600 it`)
      await chmod(file(), 0o600)
      expect(await answer("whoami")).toMatchObject({ actor: key.id })
      await writeFile(file(), "{")
      const damaged = await postcode(["whoami"])
      expect(damaged).toMatchObject({ code: 1, stdout: "" })
      expect(damaged.stderr).toContain("is not a profile: postcode login --profile default replaces it")
    }
  )

  it("without an organization of its own, a credential needs ORG", async () => {
    const { code, stderr } = await postcode(["keys", "list"], { env: managing(service.url) })
    expect(code).toBe(2)
    expect(stderr).toContain(
      "ORG is missing: an operator's credential is for no organization, and postcode orgs list shows all"
    )
  })

  it("a profile's name with upper case, spaces or slashes is refused", async () => {
    for (const name of ["../default", "Prod", "a b", ""]) {
      expect(await postcode(["logout", "--profile", name])).toMatchObject({ code: 2, stdout: "" })
      if (name !== "")
        expect(await postcode(["logout"], { env: { POSTCODE_PROFILE: name } })).toMatchObject({ code: 2 })
    }
  })

  it("management keys are created, listed and revoked", async () => {
    const env = managing(service.url)
    const organization = await newOrganization("Keys")
    const create = ["management-keys", "create", organization, "--name", "invoicing", "--role", "owner"]
    const created = await postcode(create, { env })
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_mk_[0-9A-Za-z]{38}\n$/) })
    const [id = ""] = /mgk_\w+/.exec(created.stderr) ?? []
    expect(created.stderr).toBe(`management key ${id} with the role owner; it is shown this once:\n`)
    await login(created.stdout.trim())
    expect((await postcode(["management-keys", "list"])).stdout).toMatch(
      new RegExp(`^${id} +invoicing +svc_mk_\\w{4}… +owner +operator `, "m")
    )
    expect(await postcode(create)).toMatchObject({ code: 4, stdout: "" })
    expect(await answer("management-keys", "revoke", id)).toMatchObject({ id })
    const after = await postcode(["orgs", "show"])
    expect(after).toMatchObject({ code: 4, stdout: "" })
    expect(after.stderr).toContain("the management key is unknown or revoked")
  })
})

/** A developer of an organization, signed in to the console. */
const signedIn = async (url: string, org: string) => {
  const invited = { role: "developer", email: "device@people.example" }
  const { token } = await manage<{ token: string }>(url, "POST", `/organizations/${org}/invitations`, invited)
  const accepted = await fetch(`${url}/v1/admin/account/accept`, {
    method: "POST",
    headers: { origin: url, "sec-fetch-site": "same-origin", "content-type": "application/json" },
    body: JSON.stringify({ token, name: "Bisi", password: "harmattan over kano" })
  })
  const cookie = accepted.headers.get("set-cookie")?.split(";")[0] ?? ""
  return { cookie, origin: url }
}
