/** The address of a mail server. */
import { isIP } from "node:net"
import { isLoopbackAddress } from "@postcode/gateway/webhooks/NetworkAddress"
import { Redacted, Result } from "effect"

/** How a mail server is reached. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** `implicit`: from the first byte; `required`: by STARTTLS, without which nothing is sent; `off`: plain text. */
  readonly tls: "implicit" | "off" | "required"
  /** Undefined if the server needs no login. */
  readonly user: string | undefined
  readonly password: Redacted.Redacted | undefined
}

/** For messages, after "expected". */
const mailServerForm =
  "smtps://user:password@host, or smtp:// for STARTTLS; with characters such as @ and / in the password as %40 and %2F"

/** Reads the URL of a mail server. The message never contains the URL. */
export const readMailServer = (url: Redacted.Redacted): Result.Result<MailServer, string> => {
  const parsed = URL.parse(Redacted.value(url).trim())
  const isMail = parsed?.protocol === "smtp:" || parsed?.protocol === "smtps:"
  if (parsed === null || !isMail || !isHost(parsed.hostname) || !/^\/?$/.test(parsed.pathname) || parsed.hash !== "") {
    return Result.fail(`expected ${mailServerForm}`)
  }
  const isImplicit = parsed.protocol === "smtps:"
  const isOff = parsed.search === "?tls=off"
  if (parsed.search !== "" && (!isOff || isImplicit)) {
    return Result.fail("expected no parameter except ?tls=off, which is for smtp:// only")
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, "")
  const [user, password] = [decoded(parsed.username), decoded(parsed.password)]
  if (user === undefined || password === undefined) return Result.fail(`expected ${mailServerForm}`)
  const isLocal = host === "localhost" || isLoopbackAddress(host)
  if (isOff && user !== "" && !isLocal) {
    return Result.fail("expected no user and password with ?tls=off, which would send them in plain text")
  }
  return Result.succeed({
    host,
    port: parsed.port === "" ? (isImplicit ? 465 : 587) : Number(parsed.port),
    tls: isImplicit ? "implicit" : isOff ? "off" : "required",
    user: user === "" ? undefined : user,
    password: user === "" ? undefined : Redacted.make(password)
  })
}

const isHost = (name: string): boolean =>
  /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0

/** Undefined for a broken escape or a control character, which could end a command. */
const decoded = (text: string): string | undefined => {
  try {
    const value = decodeURIComponent(text)
    return /\p{Cc}/u.test(value) ? undefined : value
  } catch {
    return undefined
  }
}
