/**
 * The port `WebhookTransport` on Node. Where a webhook goes is somebody else's choice, so it must not lead into the
 * network of the service: the name is resolved once, the address is checked, and that address is connected to.
 */
import { lookup, Resolver } from "node:dns/promises"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { request as httpsRequest, type RequestOptions } from "node:https"
import { isIP } from "node:net"
import { isPublicAddress } from "@postcode/core/NetworkAddress"
import { type WebhookAnswer, WebhooksMayBePrivate } from "@postcode/core/Webhook"
import { type WebhookMessage, WebhookTransport } from "@postcode/core/webhooks/WebhookTransport"
import { Effect, Layer } from "effect"

/** Whom to ask for addresses, and how long an attempt may take. */
export interface WebhookTransportOptions {
  /** The addresses of a name, the one to connect to first; undefined unless told, then the name system is asked. */
  readonly resolve?: (name: string) => Promise<ReadonlyArray<string>>
  /** For all of an attempt; 15,000 unless told. */
  readonly timeout_ms?: number
}

/**
 * Connects to public addresses alone, unless `WebhooksMayBePrivate` says otherwise where the layer is built. What goes
 * wrong is answered as `NotAnswered`; nothing fails.
 */
export const layerWebhookTransport = (options: WebhookTransportOptions = {}): Layer.Layer<WebhookTransport> =>
  Layer.effect(
    WebhookTransport,
    Effect.map(WebhooksMayBePrivate, (mayBePrivate) => {
      const { resolve = mayBePrivate ? resolveAnywhere : resolvePublicly, timeout_ms = 15_000 } = options
      const addressOf = async (name: string): Promise<string> => {
        const addresses = isIP(name) === 0 ? await resolve(name).catch(() => []) : [name]
        const [first] = addresses
        // The same words for a name that nobody knows and one that leads to a private address: two would tell the names and
        // addresses of the service's own network apart. A mix of public and private addresses is treated as DNS rebinding.
        if (first === undefined || !(mayBePrivate || addresses.every(isPublicAddress))) {
          throw new Error(mayBePrivate ? "it has no address" : "it has no public address")
        }
        return first
      }
      return {
        post: (message) =>
          Effect.promise((signal) =>
            post(message, addressOf, AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])).catch(
              (error: unknown): WebhookAnswer => ({ _tag: "NotAnswered", fault: faultOf(error, timeout_ms) })
            )
          )
      }
    })
  )

/** More of an answer is not even waited for. */
const mostOfAnswer = 64 * 1024
/** Answers with a status from 100 to 199, which come before the one that counts. */
const mostAnnounced = 10

/** Names of one's own may stand in a file, or be short. */
const resolveAnywhere = async (name: string): Promise<ReadonlyArray<string>> =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * Asks the name system alone, over sockets. The other way keeps threads busy that work on files and passwords as well, as
 * long as the servers of some name like.
 */
const resolvePublicly = async (name: string): Promise<ReadonlyArray<string>> => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []))
  const failed = found.find((one) => one.status === "rejected")
  if (addresses.length === 0 && failed !== undefined) throw failed.reason
  return addresses
}

const post = async (
  { body, headers, url }: WebhookMessage,
  addressOf: (name: string) => Promise<string>,
  signal: AbortSignal
): Promise<WebhookAnswer> => {
  const { host, hostname, pathname, port, protocol, search } = new URL(url)
  const name = hostname.replace(/^\[|\]$/g, "")
  const address = await unlessAborted(addressOf(name), signal)
  const options: RequestOptions = {
    method: "POST",
    host: address,
    port: port === "" ? undefined : Number(port),
    path: pathname + search,
    headers: { host, "user-agent": "postcode-gateway", "content-length": Buffer.byteLength(body), ...headers },
    // The certificate has to be the name's. An address has none to be asked for.
    servername: isIP(name) === 0 ? name : "",
    // A connection is not kept for the next time, since the name may lead elsewhere by then.
    agent: false,
    signal
  }
  const answer = await answerTo(protocol === "https:" ? httpsRequest(options) : httpRequest(options), body)
  const { "retry-after": retry_after } = answer.headers
  await readAway(answer)
  return { _tag: "Answered", status: answer.statusCode as number, retry_after }
}

const unlessAborted = <A>(work: Promise<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })

/** An answer that hands the connection over, or is announced again and again, would otherwise never be one. */
const answerTo = (request: ReturnType<typeof httpRequest>, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    let announced = 0
    request.on("error", reject)
    request.on("response", resolve)
    request.on("information", () => {
      if (++announced > mostAnnounced) request.destroy(noAnswer)
    })
    request.on("upgrade", (_, socket) => {
      socket.destroy()
      reject(noAnswer)
    })
    request.end(body)
  })

const noAnswer = new Error("its answer is none to a request")

/** Lets a receiver say all that it has to say, within bounds. Its status counts, however that ends. */
const readAway = (answer: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let length = 0
    answer.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > mostOfAnswer) answer.destroy()
    })
    answer.on("error", () => resolve())
    answer.on("close", resolve)
  })

/** What went wrong, in words that hold nothing of what the other side said. */
const faultOf = (error: unknown, timeout_ms: number): string => {
  const { cause, code = "", message, name } = error as Error & { readonly code?: string }
  if (name === "TimeoutError" || (cause as Error | undefined)?.name === "TimeoutError") {
    return `it did not answer within ${timeout_ms / 1_000} s`
  }
  const known = faults[code]
  if (known !== undefined) return known
  if (/^(ERR_TLS|ERR_SSL|CERT|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
    return `no safe connection could be made: ${code}`
  }
  return code === "" && /^its? /.test(message) ? message : `the connection failed${code === "" ? "" : `: ${code}`}`
}

const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing accepts connections there",
  ECONNRESET: "it closed the connection without an answer",
  EHOSTUNREACH: "there is no way to its network",
  ENETUNREACH: "there is no way to its network",
  ETIMEDOUT: "it did not accept the connection in time"
}
