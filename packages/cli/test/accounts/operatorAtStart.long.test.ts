/** How the first operator comes to a service: by the link that it prints, or from the environment. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { claimOf, cookieIn, expectOneWinner, password, post } from "./OperatorClaim.ts"

const folders: Array<AsyncDisposable> = []
let directory: string

beforeAll(async () => {
  const folder = await temporaryFolder()
  folders.push(folder)
  directory = folder.path
  await writeFiles(directory, smallDirectory)
})
afterAll(() => Promise.all(folders.map((folder) => folder[Symbol.asyncDispose]())))

describe("the link", () => {
  it("is printed once, in a file that only its user can read; of two clients that use it one succeeds, and then it is invalid", async () => {
    await using service = await startService(["--directory", directory, "--access-log"])
    await expectOneWinner(service)
  })
})

describe("the file of a link", () => {
  it("is removed when the service stops", async () => {
    const service = await startService(["--directory", directory])
    const { file } = claimOf(service)
    expect(existsSync(file)).toBe(true)
    expect(await service.stop()).toBe(0)
    expect(existsSync(dirname(file))).toBe(false)
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
    expect(await who.json()).toMatchObject({ data: { email: "ada@people.example", is_operator: true } })
    await service.stop()
    expect(service.stderr()).not.toMatch(/people\.example|harmattan/i)
  })

  it("ends the command with 2 if email or password is missing or the password is weak, and shows neither", async () => {
    const whole = await withPassword("password1234")
    const cases = [
      [{ POSTCODE_ADMIN_EMAIL: whole.POSTCODE_ADMIN_EMAIL }, /both are needed/],
      [{ POSTCODE_ADMIN_PASSWORD_FILE: whole.POSTCODE_ADMIN_PASSWORD_FILE }, /both are needed/],
      [{ ...whole, POSTCODE_ADMIN_PASSWORD_FILE: "/nowhere/at/all" }, /cannot be read/],
      [whole, /POSTCODE_ADMIN_PASSWORD_FILE: .*harder to guess/],
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
