/**
 * The port `WebhookTransport` on Node. Customers choose the URL, so it must not reach the internal network of the
 * service (SSRF): the name is resolved once, the address is checked, and the connection uses this address.
 */
import { lookup, Resolver } from "node:dns/promises"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { request as httpsRequest, type RequestOptions } from "node:https"
import { isIP } from "node:net"
import { isPublicAddress } from "@postcode/gateway/webhooks/NetworkAddress"
import { type WebhookAnswer, WebhooksMayBePrivate } from "@postcode/gateway/webhooks/Webhook"
import { type WebhookMessage, WebhookTransport } from "@postcode/gateway/webhooks/WebhookTransport"
import { Effect, Layer } from "effect"

/** Name resolution and timeout. */
export interface WebhookTransportOptions {
  /** Returns the addresses of a name; the first one is used. DNS by default. */
  readonly resolve?: (name: string) => Promise<ReadonlyArray<string>>
  /** For a whole attempt; 15,000 by default. */
  readonly timeout_ms?: number
}

/**
 * Connects only to public addresses, unless `WebhooksMayBePrivate` is set when the layer is built. Every error is
 * returned as `NotAnswered`.
 */
export const layerWebhookTransport = (options: WebhookTransportOptions = {}): Layer.Layer<WebhookTransport> =>
  Layer.effect(
    WebhookTransport,
    Effect.map(WebhooksMayBePrivate, (mayBePrivate) => {
      const { resolve = mayBePrivate ? resolveAnywhere : resolvePublicly, timeout_ms = 15_000 } = options
      const addressOf = async (name: string): Promise<string> => {
        const addresses = isIP(name) === 0 ? await resolve(name).catch(() => []) : [name]
        const [first] = addresses
        // An unknown name and a private address give the same message. Otherwise, customers could scan the names and
        // addresses of the internal network. A mix of public and private addresses is treated as DNS rebinding.
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

/** Longer answers are cut off. */
const maxAnswer_bytes = 64 * 1024
/** Maximum number of interim responses (1xx) before the final one. */
const maxInterim = 10

/** Also uses the hosts file and search domains, for internal names. */
const resolveAnywhere = async (name: string): Promise<ReadonlyArray<string>> =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * Uses DNS over sockets only. `lookup` would block threads that files and passwords also need, for as long as a slow
 * DNS server takes.
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
    // The certificate must be valid for the name. An IP address is not allowed as a server name.
    servername: isIP(name) === 0 ? name : "",
    // Connections are not reused, because the name may resolve to another address next time.
    agent: false,
    signal
  }
  const answer = await answerTo(protocol === "https:" ? httpsRequest(options) : httpRequest(options), body)
  const { "retry-after": retry_after } = answer.headers
  await discardBody(answer)
  return { _tag: "Answered", status: answer.statusCode as number, retry_after }
}

const unlessAborted = <A>(work: Promise<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })

/** Fails at an upgrade or at too many interim responses, which would otherwise never end. */
const answerTo = (request: ReturnType<typeof httpRequest>, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    let interim = 0
    request.on("error", reject)
    request.on("response", resolve)
    request.on("information", () => {
      if (++interim > maxInterim) request.destroy(noAnswer)
    })
    request.on("upgrade", (_, socket) => {
      socket.destroy()
      reject(noAnswer)
    })
    request.end(body)
  })

const noAnswer = new Error("its response is not valid HTTP")

/** Reads and discards the body up to the maximum. The status counts even if the body fails. */
const discardBody = (answer: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let length = 0
    answer.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > maxAnswer_bytes) answer.destroy()
    })
    answer.on("error", () => resolve())
    answer.on("close", resolve)
  })

/** Describes an error without any text of the endpoint. */
const faultOf = (error: unknown, timeout_ms: number): string => {
  const { cause, code = "", message, name } = error as Error & { readonly code?: string }
  if (name === "TimeoutError" || (cause as Error | undefined)?.name === "TimeoutError") {
    return `no response within ${timeout_ms / 1_000} s`
  }
  const known = faults[code]
  if (known !== undefined) return known
  if (/^(ERR_TLS|ERR_SSL|CERT|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
    return `TLS failed: ${code}`
  }
  return code === "" && /^its? /.test(message) ? message : `the connection failed${code === "" ? "" : `: ${code}`}`
}

const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed without a response",
  EHOSTUNREACH: "the network is unreachable",
  ENETUNREACH: "the network is unreachable",
  ETIMEDOUT: "the connection timed out"
}
