/** How the first operator comes to a service: by the link that it prints, or from the environment. */
import { existsSync, statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { layerDatabase } from "@postcode/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeFixtureDatabase } from "../FixtureDatabase.ts"
import { run } from "../RunCommand.ts"
import { environmentOn, serveOnDatabase } from "../replicas/Installation.ts"
import { type Service, startService } from "../StartCommand.ts"
import { smallDirectory, temporaryFolder, writeFiles } from "../TemporaryFolder.ts"

const password = "harmattan over kano"
const folders: Array<AsyncDisposable> = []
let directory: string

beforeAll(async () => {
  const folder = await temporaryFolder()
  folders.push(folder)
  directory = folder.path
  await writeFiles(directory, smallDirectory)
})
afterAll(() => Promise.all(folders.map((folder) => folder[Symbol.asyncDispose]())))

interface Claim {
  readonly link: string
  readonly token: string
  readonly file: string
}

const claimOf = (service: Service): Claim => {
  const [, link = "", token = ""] = /console +(\S+\/console\/#join=(\w+))\n/.exec(service.stderr()) ?? []
  return { link, token, file: /also in (\S+)/.exec(service.stderr())?.[1] ?? "" }
}

const post = (service: Service, path: string, body: object, cookie = "") =>
  fetch(`${service.url}/v1/admin/account${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.url, cookie },
    body: JSON.stringify(body)
  })

const accept = (service: Service, { token }: Claim, email: string) =>
  post(service, "/accept", { token, email, name: "Ada", password })

const cookieIn = (response: Response): string => response.headers.get("set-cookie")?.split(";")[0] ?? ""

describe.each(["1", "2"])("the link of a service with %s thread(s)", (workers) => {
  it("is printed once, in a file that only its user reads; of two who use it one wins, and it is dead behind", async () => {
    await using service =
      workers === "1"
        ? await startService(["--directory", directory, "--access-log"])
        : await serveOnDatabase(["--workers", workers, "--access-log"])
    const claim = claimOf(service)
    expect(claim.link).toBe(`${service.url}/console/#join=${claim.token}`)
    expect(claim.token).toMatch(/^[0-9A-Za-z]{43}$/)
    expect(statSync(claim.file).mode & 0o777).toBe(0o600)
    expect(await readFile(claim.file, "utf8")).toBe(`${claim.link}\n`)

    const both = await Promise.all(["ada", "eve"].map((name) => accept(service, claim, `${name}@people.example`)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 401])
    expect((await accept(service, claim, "late@people.example")).status).toBe(401)
    const cookie = cookieIn(both.find(({ ok }) => ok) as Response)
    // Each on a connection of its own, so that every thread is asked.
    const asked = Array.from({ length: 8 }, () =>
      fetch(`${service.url}/v1/admin/operators`, { headers: { cookie, connection: "close" } })
    )
    const operators = await Promise.all((await Promise.all(asked)).map((response) => response.text()))
    expect(new Set(operators).size).toBe(1)
    expect(operators[0]?.match(/"role":"operator"/g)).toHaveLength(1)

    await expectRemoved(claim.file)
    expect(await service.stop()).toBe(0)
    const said = service.stderr()
    expect(said).toContain("account.acceptInvitation")
    expect(said.split(claim.token)).toHaveLength(2)
    for (const secret of [password, "people.example", cookie.split("=")[1] as string])
      expect(said).not.toContain(secret)
  })
})

/** A file of a link goes with its folder, within seconds. */
const expectRemoved = (file: string) => expect.poll(() => existsSync(dirname(file)), { timeout: 20_000 }).toBe(false)

describe("the file of a link", () => {
  it("is removed when the service stops", async () => {
    const service = await startService(["--directory", directory])
    const { file } = claimOf(service)
    expect(existsSync(file)).toBe(true)
    expect(await service.stop()).toBe(0)
    expect(existsSync(dirname(file))).toBe(false)
  })

  it("is removed at the next start if the process was killed; that of a service that runs is kept", async () => {
    await using running = await startService(["--directory", directory])
    const killed = await startService(["--directory", directory])
    const { file } = claimOf(killed)
    await killed.stop("SIGKILL")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await using next = await startService(["--directory", directory])
    expect(existsSync(dirname(file))).toBe(false)
    expect([running, next].map((service) => existsSync(claimOf(service).file))).toEqual([true, true])
  })

  it("is removed when the link expires, and the service goes on", async () => {
    const database = await makeFixtureDatabase()
    const service = await startService([], environmentOn(database.url))
    const { file } = claimOf(service)
    expect(existsSync(file)).toBe(true)
    const expire = Effect.flatMap(SqlClient, (sql) => sql`UPDATE postcode.invitations SET expires_at = now()`)
    await Effect.runPromise(Effect.provide(expire, layerDatabase({ url: Redacted.make(database.url) })))
    await expectRemoved(file)
    expect((await fetch(`${service.url}/v1/health/live`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
    await database.drop()
  })
})

describe("the environment", () => {
  const withPassword = async (text: string) => {
    const folder = await temporaryFolder()
    folders.push(folder)
    await writeFiles(folder.path, { password: text })
    return { POSTCODE_ADMIN_EMAIL: "Ada@People.example", POSTCODE_ADMIN_PASSWORD_FILE: join(folder.path, "password") }
  }

  it("names the first operator, who signs in; no link is printed", async () => {
    const service = await startService(["--directory", directory], await withPassword(`${password}\n`))
    expect(service.stderr()).not.toContain("#join=")
    const signedIn = await post(service, "/sign-in", { email: "ada@people.example", password })
    expect(signedIn.status).toBe(200)
    const who = await fetch(`${service.url}/v1/admin/account`, { headers: { cookie: cookieIn(signedIn) } })
    expect(await who.json()).toMatchObject({ data: { email: "ada@people.example", role: "operator" } })
    await service.stop()
    expect(service.stderr()).not.toMatch(/people\.example|harmattan/i)
  })

  it("ends the command with 2 where half of it is missing, or the password is too weak, and shows neither", async () => {
    const whole = await withPassword("password1234")
    const cases = [
      [{ POSTCODE_ADMIN_EMAIL: whole.POSTCODE_ADMIN_EMAIL }, /both are needed/],
      [{ POSTCODE_ADMIN_PASSWORD_FILE: whole.POSTCODE_ADMIN_PASSWORD_FILE }, /both are needed/],
      [{ ...whole, POSTCODE_ADMIN_PASSWORD_FILE: "/nowhere/at/all" }, /cannot be read/],
      [whole, /POSTCODE_ADMIN_PASSWORD_FILE: .*first guesses/],
      [{ ...whole, POSTCODE_ADMIN_EMAIL: "ada" }, /POSTCODE_ADMIN_EMAIL: email: expected an email address/]
    ] as const
    const ended = cases.map(([env]) => run(["serve", "--port", "0", "--directory", directory], { env }))
    for (const [i, { code, stderr }] of (await Promise.all(ended)).entries()) {
      expect(code, stderr).toBe(2)
      expect(stderr).toMatch(cases[i]?.[1] as RegExp)
      expect(stderr).not.toContain("password1234")
    }
  })
})

describe("two replicas on one database", () => {
  it("are claimed once, by whichever link; a session of one is one of the other; later starts print no link", async () => {
    const database = await makeFixtureDatabase()
    const env = environmentOn(database.url)
    const [one, two] = (await Promise.all([startService([], env), startService([], env)])) as [Service, Service]
    const attempts = [one, two, one, two].map((service, i) =>
      accept(service, claimOf(i < 2 ? one : two), `person${i}@people.example`)
    )
    const answers = await Promise.all(attempts)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401])
    await Promise.all([one, two].map((service) => expectRemoved(claimOf(service).file)))
    const cookie = cookieIn(answers.find(({ ok }) => ok) as Response)
    for (const { url } of [one, two]) {
      expect((await fetch(`${url}/v1/admin/account`, { headers: { cookie } })).status).toBe(200)
    }
    expect((await post(one, "/sign-out", {}, cookie)).status).toBe(200)
    expect((await fetch(`${two.url}/v1/admin/account`, { headers: { cookie } })).status).toBe(401)
    // Nor do they look for a password that was needed once.
    const gone = { POSTCODE_ADMIN_EMAIL: "ada@people.example", POSTCODE_ADMIN_PASSWORD_FILE: "/nowhere/at/all" }
    const three = await startService([], { ...env, ...gone })
    expect(three.stderr()).not.toContain("#join=")
    await Promise.all([one, two, three].map((service) => service.stop()))
    await database.drop()
  })
})
