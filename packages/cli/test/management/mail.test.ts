/** Mail of a running service, to a real mail server over TLS. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { mailCertificate, startMailServer } from "@postcode/drills/MailServer"
import { manage } from "@postcode/drills/Management"
import { startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { describe, expect, it, vi } from "vitest"
import { shellOf } from "../OperatorShell.ts"
import { run } from "../RunCommand.ts"

const from = "Postcode Gateway <postcode@gateway.example>"

/** A busy machine needs a second for a command alone. */
const waiting = { timeout: 30_000 }

describe("a service with a mail server", () => {
  it("mails an invitation, whose link works, and shows it to its operator without the link", async () => {
    await using folder = await temporaryFolder()
    const ca = join(folder.path, "ca.pem")
    await writeFile(ca, mailCertificate)
    const server = await startMailServer({ login: { user: "postcode", password: "s/ecret" } })
    await using service = await startService(["--public-url", "http://localhost:3000", "--operations-port", "0"], {
      POSTCODE_OPERATOR_TOKEN: operatorToken,
      POSTCODE_SMTP_URL: `smtp://postcode:s%2Fecret@localhost:${server.port}`,
      POSTCODE_MAIL_FROM: from,
      POSTCODE_SUPPORT_CONTACT: "help@gateway.example",
      NODE_EXTRA_CA_CERTS: ca
    })
    const { answer, postcode } = shellOf(() => service)
    const { id } = (await manage(service.url, "POST", "/organizations", { name: "Kano Couriers" })) as {
      readonly id: string
    }
    const invited = await answer("members", "invite", String(id), "--role", "owner", "--email", "ada@people.example")
    await vi.waitFor(() => expect(server.received).toHaveLength(1), waiting)
    const [mail] = server.received
    expect(mail).toMatchObject({ to: "ada@people.example", isSecure: true })
    expect(mail?.headers).toMatchObject({ from, subject: "You are invited to the Postcode Gateway" })
    expect(mail?.text).toContain("Kano Couriers, with the role owner")
    expect(mail?.text).toContain("Questions: help@gateway.example")
    const [, token = ""] = /#join=(\w+)/.exec(mail?.text ?? "") ?? []
    expect(JSON.stringify(invited)).toContain(token)
    const headers = {
      "content-type": "application/json",
      origin: "http://localhost:3000",
      "sec-fetch-site": "same-origin"
    }
    const shown = await fetch(`${service.url}/v1/admin/account/invitation`, {
      method: "POST",
      headers,
      body: JSON.stringify({ token })
    })
    expect(await shown.json()).toMatchObject({ data: { email: "ada@people.example" } })
    await vi.waitFor(async () => {
      const { stdout } = await postcode("notices", "--email", "ada@people.example")
      expect(stdout).toMatch(/invitation\s+ada@people\.example\s+sent\s+1/)
      expect(stdout).not.toContain(token)
    }, waiting)
    const metrics = await (await fetch(`${service.shown("metrics")}`)).text()
    expect(metrics).toMatch(/^postcode_mail_attempts_total\{outcome="sent"\} 1$/m)
    expect(metrics).toMatch(/^postcode_mail_server_usable 1$/m)
    expect(service.stderr()).not.toMatch(/s\/ecret|s%2Fecret/)
    expect(await service.stop()).toBe(0)
    await server.close()
  })

  it("starts while the mail server is down, says so once, and sends later", async () => {
    const { close, port } = await startMailServer({ tls: "none" })
    await close()
    await using service = await startService(["--public-url", "http://localhost:3000"], {
      POSTCODE_OPERATOR_TOKEN: operatorToken,
      POSTCODE_SMTP_URL: `smtp://localhost:${port}?tls=off`,
      POSTCODE_MAIL_FROM: from
    })
    await vi.waitFor(
      () => expect(service.stderr()).toContain("the mail server cannot be used: the connection was refused"),
      waiting
    )
    const { answer } = shellOf(() => service)
    await answer("operators", "invite", "--email", "bola@people.example")
    await vi.waitFor(async () => {
      expect(await answer("notices")).toMatchObject({
        notices: [{ status: "pending", attempts: 1, fault: "the connection was refused" }]
      })
    }, waiting)
    expect(await service.stop()).toBe(0)
  })
})

describe("the settings of mail", () => {
  it.each([
    ["POSTCODE_SMTP_URL", { POSTCODE_SMTP_URL: "https://u:hunter2@mail.example" }],
    ["POSTCODE_SMTP_URL", { POSTCODE_SMTP_URL: "smtps://u:hunter2@mail.example" }],
    ["POSTCODE_PUBLIC_URL", { POSTCODE_SMTP_URL: "smtps://u:hunter2@mail.example", POSTCODE_MAIL_FROM: from }],
    ["POSTCODE_MAIL_FROM", { POSTCODE_MAIL_FROM: "not an address" }],
    ["POSTCODE_SUPPORT_CONTACT", { POSTCODE_SUPPORT_CONTACT: "javascript:alert(1)" }],
    ["POSTCODE_TERMS_URL", { POSTCODE_TERMS_URL: "https://example.ng/terms" }],
    ["POSTCODE_MAIL_PER_DAY", { POSTCODE_MAIL_PER_DAY: "0" }],
    ["POSTCODE_CLOSE_UNUSED_AFTER", { POSTCODE_CLOSE_UNUSED_AFTER: "14" }],
    ["POSTCODE_CLOSE_UNUSED_AFTER", { POSTCODE_CLOSE_UNUSED_AFTER: "90 days" }]
  ])("%s is checked at the start", async (name, env) => {
    const { code, stderr } = await run(["serve", "--port", "0"], { env })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(name) })
    expect(stderr).not.toContain("hunter2")
  })

  it("are needed to close unused organizations, because their owners are told first", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    const flags = ["serve", "--port", "0", "--directory", folder.path, "--close-unused-after", "90"]
    const { code, stderr } = await run(flags, { env: { POSTCODE_OPERATOR_TOKEN: operatorToken } })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("needs POSTCODE_SMTP_URL") })
  })

  it("are all off by default: nothing is stored or sent", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    const flags = ["--directory", folder.path]
    await using service = await startService(flags, { POSTCODE_OPERATOR_TOKEN: operatorToken })
    const { answer } = shellOf(() => service)
    await answer("operators", "invite", "--email", "bola@people.example")
    expect(await answer("notices")).toEqual({ notices: [], next_cursor: null })
    expect(await answer("whoami")).toMatchObject({ sends_mail: false })
    expect(await service.stop()).toBe(0)
  })
})
