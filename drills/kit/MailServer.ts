/** A mail server for tests: it keeps what it gets, and refuses what a test wants. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"

/** A mail as it arrived. */
export interface ReceivedMail {
  readonly from: string
  readonly to: string
  /** Header fields by lower-case name, unfolded. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
  readonly raw: string
  /** Whether the connection was encrypted. */
  readonly isSecure: boolean
}

/** A code and a text that a step answers with; undefined to go on. */
export type MailRefusal = readonly [code: number, text: string] | undefined

export interface MailServerOptions {
  /** `implicit` from the first byte, `offered` by STARTTLS, or `none`. */
  readonly tls?: "implicit" | "none" | "offered"
  readonly login?: { readonly user: string; readonly password: string }
  readonly onConnect?: () => MailRefusal
  readonly onRecipient?: (to: string) => MailRefusal
  /** After the content; the mail counts as received unless it is refused. */
  readonly onContent?: (mail: ReceivedMail) => MailRefusal | Promise<MailRefusal>
  /** A port that another server left; any free one by default. */
  readonly port?: number
}

/** A running server. */
export interface TestMailServer {
  readonly port: number
  /** All that it took, in order. */
  readonly received: ReadonlyArray<ReceivedMail>
  /** Number of connections. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** Listens on a loopback address, with `mailCertificate`. */
export const startMailServer = async ({
  login,
  onConnect = () => undefined,
  onContent = () => undefined,
  onRecipient = () => undefined,
  port = 0,
  tls = "offered"
}: MailServerOptions = {}): Promise<TestMailServer> => {
  const received: Array<ReceivedMail> = []
  let connections = 0
  const server = new SMTPServer({
    secure: tls === "implicit",
    key: mailKey,
    cert: mailCertificate,
    disabledCommands: [...(tls === "none" ? ["STARTTLS"] : []), ...(login === undefined ? ["AUTH"] : [])],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    logger: false,
    onConnect: (_, done) => {
      connections++
      done(refusal(onConnect()))
    },
    onAuth: ({ password, username }, _, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username })
        : // Some servers repeat what they got.
          done(refusal([535, `5.7.8 not ${username} ${password} ${Buffer.from(String(password)).toString("base64")}`])),
    onRcptTo: ({ address }, _, done) => done(refusal(onRecipient(address))),
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", async () => {
        const { mailFrom, rcptTo } = session.envelope
        const [recipient] = rcptTo
        const of = {
          from: mailFrom === false ? "" : mailFrom.address,
          to: recipient?.address ?? "",
          isSecure: session.secure
        }
        const mail = { ...of, ...parseMail(Buffer.concat(chunks).toString()) }
        const refused = await onContent(mail)
        if (refused === undefined) received.push(mail)
        done(refusal(refused))
      })
    }
  })
  // Broken connections are what some tests are about.
  server.on("error", () => {})
  server.listen(port, "127.0.0.1")
  await once(server.server, "listening")
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
}

const refusal = (given: MailRefusal): Error | null =>
  given === undefined ? null : Object.assign(new Error(given[1]), { responseCode: given[0] })

/** Headers, and the two alternatives of the content. */
const parseMail = (raw: string): Pick<ReceivedMail, "headers" | "html" | "raw" | "text"> => {
  const whole = partOf(raw)
  const [, boundary = ""] = /boundary="?([^";]+)/.exec(whole.headers["content-type"] ?? "") ?? []
  const parts = boundary === "" ? [whole] : whole.body.split(`--${boundary}`).slice(1, -1).map(partOf)
  const contentOf = (type: string): string => {
    const part = parts.find(({ headers }) => headers["content-type"]?.startsWith(type))
    return part === undefined ? "" : decoded(part)
  }
  return { headers: whole.headers, text: contentOf("text/plain"), html: contentOf("text/html"), raw }
}

interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const partOf = (text: string): Part => {
  const trimmed = text.replace(/^\r\n/, "")
  const end = trimmed.indexOf("\r\n\r\n")
  const lines = trimmed
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers: Object.fromEntries(headers), body: trimmed.slice(end + 4) }
}

const decoded = ({ body, headers }: Part): string => {
  const encoding = headers["content-transfer-encoding"] ?? "7bit"
  if (encoding === "base64") return Buffer.from(body, "base64").toString()
  if (encoding !== "quoted-printable") return body
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString()
}

/** A certificate of `localhost`, signed by itself. */
export const mailCertificate = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUfXHZ4bhsTOs4wZEy/HyBW0w326owCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTA5MjIxOFoYDzIxMjYxMTA1
MDkyMjE4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATvzQ/uEfMz19gEY6eeWc72/UEkp7eBlH5GimIsHow4O8NiQpQJkSup
FLjVitfm3xvPt273q7EKc+tBew2qcmjBo28wbTAdBgNVHQ4EFgQUb3dkZErucHgE
AM/ZK4IVitxdm0cwHwYDVR0jBBgwFoAUb3dkZErucHgEAM/ZK4IVitxdm0cwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhANT37Uyk7lHo5YRDRaJ0FGX19Dp7t3rfkACR2rMs80KfAiEA
jO9O4TmvYmeL6Hj+MBqoSzDEGW+mfI5KQmTffDXoxHQ=
-----END CERTIFICATE-----
`

/** Its key, which guards nothing. */
const mailKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZZK6jPBEtw4/yjzZ
2ww5eaUZfmbrJfohGRLFpIIvIxKhRANCAATvzQ/uEfMz19gEY6eeWc72/UEkp7eB
lH5GimIsHow4O8NiQpQJkSupFLjVitfm3xvPt273q7EKc+tBew2qcmjB
-----END PRIVATE KEY-----
`
