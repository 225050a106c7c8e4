/**
 * The port `MailTransport` on Node, by nodemailer. The recipient and all headers are passed as values that it does not
 * parse, and it may read neither files nor URLs.
 */
import { type Mail, type MailAnswer, MailTransport } from "@postcode/gateway/notices/MailTransport"
import type { Sender } from "@postcode/gateway/notices/Sender"
import { mailConcurrency } from "@postcode/gateway/notices/sendNotices"
import { Effect, Layer, Redacted } from "effect"
import { createTransport } from "nodemailer"
import type { MailServer } from "./MailServer.ts"

/** The server, the sender and timeouts. */
export interface MailTransportOptions {
  readonly server: MailServer
  readonly from: Sender
  /** For an attempt; 20,000 by default. */
  readonly timeout_ms?: number
  /** PEM certificates to trust besides those of Node, for a server with a certificate of its own. */
  readonly ca?: string | undefined
}

/** Opens connections when there is mail, and closes them with the scope. */
export const layerMailTransport = (options: MailTransportOptions): Layer.Layer<MailTransport> =>
  Layer.effect(
    MailTransport,
    Effect.acquireRelease(
      Effect.sync(() => open(options)),
      (mailer) => Effect.sync(() => mailer.close())
    ).pipe(
      Effect.map((mailer) => ({
        send: (mail) => Effect.promise((signal) => send(mailer, options, mail, signal)),
        check: Effect.promise(() =>
          mailer.verify().then(
            () => undefined,
            (error: unknown) => faultOf(error as SmtpError)
          )
        )
      }))
    )
  )

type Mailer = ReturnType<typeof open>

const open = ({
  ca,
  server: { host, password, port, tls, user },
  timeout_ms = defaultTimeout_ms
}: MailTransportOptions) =>
  createTransport({
    pool: true,
    // A repetition within the library would not be counted as an attempt.
    maxRequeues: 0,
    maxConnections: mailConcurrency,
    idleTimeout: 10_000,
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "required",
    ignoreTLS: tls === "off",
    ...(user !== undefined && { auth: { user, pass: password === undefined ? "" : Redacted.value(password) } }),
    ...(ca !== undefined && { tls: { ca } }),
    dnsTimeout: timeout_ms,
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false
  })

/** Shorter than the time that a caller waits. */
const defaultTimeout_ms = 20_000

const send = async (
  mailer: Mailer,
  { from, timeout_ms = defaultTimeout_ms }: MailTransportOptions,
  { html, id, reply_to, subject, text, to, unsubscribe_url }: Mail,
  signal: AbortSignal
): Promise<MailAnswer> => {
  if (!isPlainAddress(to)) return { _tag: "Refused", fault: "this is not an address of one mailbox" }
  const headers = {
    // Nothing answers this mail automatically, such as an absence note.
    "Auto-Submitted": "auto-generated",
    ...(unsubscribe_url !== undefined && {
      "List-Unsubscribe": `<${unsubscribe_url}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
    })
  }
  try {
    await mailer.sendMail({
      from,
      to: { name: "", address: to },
      ...(reply_to !== undefined && { replyTo: { name: "", address: reply_to } }),
      envelope: { from: from.address, to: [to] },
      messageId: `<${id}@${from.address.slice(from.address.indexOf("@") + 1)}>`,
      subject,
      text,
      html,
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])
    })
    return { _tag: "Accepted" }
  } catch (error) {
    return answerOf(error as SmtpError)
  }
}

/** One mailbox, without a list, a group, a comment, a quotation, white space or a control character. */
const isPlainAddress = (address: string): boolean => /^[^\p{C}\p{Z}\s,;:<>()"\\@[\]]+@[a-z\d.-]+$/u.test(address)

interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly message: string
  readonly name: string
  readonly originalCode?: string
  readonly permanent?: boolean
  readonly response?: string
  readonly responseCode?: number
  readonly timeoutType?: string
}

/** A refusal of the recipient or of the content is final; everything else is about the server or its settings. */
const answerOf = (error: SmtpError): MailAnswer => {
  const isOfMail = error.command === "RCPT TO" || error.command === "DATA"
  return { _tag: error.permanent === true && isOfMail ? "Refused" : "Postponed", fault: faultOf(error) }
}

/**
 * One line. A response of the server is cut to printable ASCII characters. One to the login is not quoted: a server may
 * repeat the user and the password, in plain text or in base64.
 */
const faultOf = (error: SmtpError): string => {
  const { code = "", message, name, originalCode, response, responseCode, timeoutType } = error
  if (code === "EAUTH" && responseCode !== undefined) return `the login failed: the server answered ${responseCode}`
  if (response !== undefined && response !== "") return `the server answered: ${printable(response)}`
  if (code === "EABORT" || name === "TimeoutError" || name === "AbortError" || timeoutType !== undefined) {
    return "the server did not answer in time"
  }
  const cause = originalCode ?? code
  if (/^(ERR_TLS|ERR_SSL|CERT|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(cause)) return `TLS failed: ${cause}`
  return faults[cause] ?? faults[code] ?? `it cannot be used: ${printable(cause === "" ? message : cause)}`
}

const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed without a response",
  ECONNECTION: "the connection was closed without a response",
  EDNS: "its name cannot be resolved",
  ENOTFOUND: "its name cannot be resolved",
  EHOSTUNREACH: "the network is unreachable",
  ENETUNREACH: "the network is unreachable",
  EAUTH: "the login failed",
  ETLS: "it offers no TLS, or the handshake failed",
  ETIMEDOUT: "the server did not answer in time"
}

const printable = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, maxFault)

const maxFault = 200
