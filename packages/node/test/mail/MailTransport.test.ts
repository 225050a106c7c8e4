/** How mail is sent, to servers that behave and to those that do not. */
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import {
  type MailServerOptions,
  mailCertificate,
  startMailServer,
  type TestMailServer
} from "@postcode/drills/MailServer"
import { type Mail, type MailAnswer, MailTransport } from "@postcode/gateway/notices/MailTransport"
import { layerMailTransport, type MailServer, readMailServer } from "@postcode/node/mail"
import { Effect, Redacted, Result } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"

const from = { name: "Postcode Gateway", address: "postcode@gateway.example" }

const aMail = (fields: Partial<Mail> = {}): Mail => ({
  id: "ntc_1",
  to: "ada@people.example",
  reply_to: undefined,
  subject: "Reset your password",
  text: "A link:\nhttps://postcode.example/console/#reset=abc\n",
  html: '<p><a href="https://postcode.example/console/#reset=abc">A link</a></p>',
  unsubscribe_url: undefined,
  ...fields
})

const serverAt = (url: string): MailServer => Result.getOrThrow(readMailServer(Redacted.make(url)))

interface Sending {
  readonly server: MailServer
  readonly ca?: string | undefined
  readonly timeout_ms?: number
}

const using = <A>(sending: Sending, work: (transport: MailTransport["Service"]) => Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(
    Effect.flatMap(MailTransport, work).pipe(
      Effect.provide(layerMailTransport({ from, ca: mailCertificate, ...sending }))
    )
  )

const send = (sending: Sending, mail = aMail()): Promise<MailAnswer> => using(sending, (it) => it.send(mail))
const check = (sending: Sending): Promise<string | undefined> => using(sending, (it) => it.check)

const running = async (options?: MailServerOptions): Promise<TestMailServer> => {
  const server = await startMailServer(options)
  onTestFinished(() => server.close())
  return server
}

describe("a mail", () => {
  it("arrives with its texts, over STARTTLS, with a stable id and no tracking", async () => {
    const server = await running()
    expect(await send({ server: serverAt(`smtp://localhost:${server.port}`) })).toEqual({ _tag: "Accepted" })
    const [mail] = server.received
    expect(mail).toMatchObject({ from: from.address, to: "ada@people.example", isSecure: true })
    expect(mail?.text).toContain("https://postcode.example/console/#reset=abc")
    expect(mail?.html).toContain('href="https://postcode.example/console/#reset=abc"')
    expect(mail?.headers).toMatchObject({
      from: "Postcode Gateway <postcode@gateway.example>",
      to: "ada@people.example",
      subject: "Reset your password",
      "message-id": "<ntc_1@gateway.example>",
      "auto-submitted": "auto-generated"
    })
    expect(mail?.headers).not.toHaveProperty("list-unsubscribe")
    expect(mail?.headers).not.toHaveProperty("reply-to")
    expect(mail?.raw).not.toMatch(/<img|x-mailer/i)
  })

  it("is answered to the contact for questions, if it is an address", async () => {
    const server = await running()
    await send({ server: serverAt(`smtp://localhost:${server.port}`) }, aMail({ reply_to: "help@postcode.example" }))
    expect(server.received[0]?.headers["reply-to"]).toBe("help@postcode.example")
  })

  it("can be unsubscribed from with one click, if it is of such a kind", async () => {
    const server = await running({ tls: "implicit" })
    const unsubscribe_url = `https://postcode.example/mail/unsubscribe?token=1.${"a".repeat(120)}`
    await send({ server: serverAt(`smtps://localhost:${server.port}`) }, aMail({ unsubscribe_url }))
    expect(server.received[0]?.headers["list-unsubscribe"]?.replaceAll(" ", "")).toBe(`<${unsubscribe_url}>`)
    expect(server.received[0]?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click")
  })

  it("is sent after a login, and not with a wrong password", async () => {
    const login = { user: "post@code", password: "p@ss/w:rd" }
    const server = await running({ login })
    const at = (password: string) => ({ server: serverAt(`smtp://post%40code:${password}@localhost:${server.port}`) })
    expect(await send(at("p%40ss%2Fw%3Ard"))).toEqual({ _tag: "Accepted" })
    expect(await check(at("p%40ss%2Fw%3Ard"))).toBeUndefined()
    const answer = await send(at("wrong"))
    const fault = "the login failed: the server answered 535"
    expect(answer).toEqual({ _tag: "Postponed", fault })
    expect(await check(at("wrong"))).toBe(fault)
    expect(server.received).toHaveLength(1)
  })

  it.each([
    "ada@people.example\r\nBcc: all@people.example",
    "ada@people.example, bob@people.example",
    "Team: ada@people.example, bob@people.example;",
    '"ada@people.example" <bob@people.example>',
    "ada@people.example>\r\nRCPT TO:<bob@people.example",
    "ada(comment)@people.example",
    "ada@[127.0.0.1]",
    ""
  ])("goes to one mailbox, not to %j", async (to) => {
    const server = await running()
    expect(await send({ server: serverAt(`smtp://localhost:${server.port}`) }, aMail({ to }))).toMatchObject({
      _tag: "Refused"
    })
    expect(server.received).toEqual([])
  })

  it("has no field, attachment or picture more than those of the template, whatever its texts contain", async () => {
    const server = await running()
    const hostile = "x\r\nBcc: all@people.example\r\n\r\nBody"
    const mail = aMail({ subject: hostile, text: `.\r\n${hostile}`, html: '<img src="file:///etc/passwd">' })
    await send({ server: serverAt(`smtp://localhost:${server.port}`) }, mail)
    const [received] = server.received
    expect(received?.headers).not.toHaveProperty("bcc")
    expect(received?.headers.subject).toContain("Bcc: all@people.example")
    expect(received?.text).toContain("all@people.example")
    expect(received?.html).toContain("file:///etc/passwd")
    expect(received?.raw).not.toMatch(/root:|content-disposition/i)
  })

  it("reaches an address in another script only if the server can", async () => {
    const server = await running()
    const to = "ẹniọlá@people.example"
    expect(await send({ server: serverAt(`smtp://localhost:${server.port}`) }, aMail({ to }))).toEqual({
      _tag: "Accepted"
    })
    expect(server.received[0]?.to).toBe(to)
  })
})

describe("a server", () => {
  it.each([
    ["refuses the recipient for good", { onRecipient: () => [550, "5.1.1 no such user"] as const }, "Refused", "550"],
    ["is greylisting", { onRecipient: () => [450, "4.2.0 greylisted, try later"] as const }, "Postponed", "450"],
    ["refuses the content for good", { onContent: () => [554, "5.7.1 looks like spam"] as const }, "Refused", "554"],
    ["has no space", { onContent: () => [452, "4.3.1 no space"] as const }, "Postponed", "452"],
    ["is too busy", { onConnect: () => [421, "4.7.0 too many connections"] as const }, "Postponed", "421"]
  ])("that %s", async (_, options, tag, code) => {
    const server = await running(options)
    const answer = await send({ server: serverAt(`smtp://localhost:${server.port}`) })
    expect(answer).toEqual({ _tag: tag, fault: expect.stringContaining(code) })
    expect(server.received).toEqual([])
  })

  it("without TLS gets nothing, unless plain text is set", async () => {
    const server = await running({ tls: "none" })
    const strict = await send({ server: serverAt(`smtp://localhost:${server.port}`) })
    expect(strict).toMatchObject({ _tag: "Postponed" })
    expect(server.received).toEqual([])
    expect(await send({ server: serverAt(`smtp://localhost:${server.port}?tls=off`) })).toEqual({ _tag: "Accepted" })
    expect(server.received[0]).toMatchObject({ isSecure: false })
  })

  it("with a certificate that nobody trusts gets nothing", async () => {
    const server = await running()
    const answer = await send({ server: serverAt(`smtp://localhost:${server.port}`), ca: undefined })
    expect(answer).toMatchObject({ _tag: "Postponed", fault: expect.stringContaining("TLS") })
    expect(server.received).toEqual([])
  })

  it("that is down, or that does not exist", async () => {
    const { close, port } = await startMailServer()
    await close()
    expect(await send({ server: serverAt(`smtp://localhost:${port}`) })).toEqual({
      _tag: "Postponed",
      fault: "the connection was refused"
    })
    expect(await check({ server: serverAt("smtp://nowhere.invalid") })).toBe("its name cannot be resolved")
  })

  it.each(["says nothing", "stops after the content"])("that %s is given up", async (kind) => {
    const silent = createServer((socket) => {
      socket.on("error", () => {})
      onTestFinished(() => {
        socket.destroy()
      })
      if (kind === "says nothing") return
      socket.write("220 here\r\n")
      let isContent = false
      socket.on("data", (data) => {
        if (isContent) return
        isContent = /^DATA/m.test(`${data}`)
        socket.write(isContent ? "354 go on\r\n" : "250 fine\r\n")
      })
    }).listen(0, "127.0.0.1")
    await once(silent, "listening")
    onTestFinished(() => {
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const server = serverAt(`smtp://localhost:${port}?tls=off`)
    expect(await send({ server, timeout_ms: 500 })).toEqual({
      _tag: "Postponed",
      fault: "the server did not answer in time"
    })
  })

  it("cannot put control characters or long texts into a fault", async () => {
    const server = await running({ onRecipient: () => [550, `5.1.1 \u001b[31m\u202e${"x".repeat(400)}`] })
    const answer = await send({ server: serverAt(`smtp://localhost:${server.port}`) })
    const fault = answer._tag === "Refused" ? answer.fault : ""
    expect(fault).toMatch(/^[\x20-\x7e]{50,240}$/)
  })
})
