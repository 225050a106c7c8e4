/**
 * A client on `node:http`, which sends requests that fetch refuses. Every response must keep the conventions, or the
 * request fails.
 */
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { assertConventions } from "../wire/Conventions.ts"
import { parseResponses } from "../wire/RawResponses.ts"
import type { Received, Sent } from "../wire/Received.ts"

/** The credentials and headers of a request. */
export interface Options {
  /** Sent as X-API-Key. */
  readonly key?: string
  /** Sent as Authorization. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The client's address in X-Forwarded-For; by default that of the current visitor. */
  readonly address?: string
}

/** A request, sent without changes. */
export interface Message extends Options {
  readonly method: string
  readonly target: string
  /** Sent unchanged with its length; a list is sent in chunks. */
  readonly body?: string | Uint8Array | ReadonlyArray<Uint8Array>
}

/** Any bytes, sent on a new connection. */
export interface RawMessage {
  readonly bytes: string | Uint8Array
  /** The request of each response: HEAD has no body, and each target has a schema. */
  readonly asked?: ReadonlyArray<Partial<Sent>>
  /** Ends the sending side after the bytes, so that the server reads the end of the stream. */
  readonly half?: boolean
  /** Reads only after writing everything, as many clients do: a connection that ends before is then an error. */
  readonly readsLate?: boolean
}

/** Sends requests to a gateway on 127.0.0.1, with an unused client address behind the trusted proxy. */
export class TestClient {
  readonly port: number
  private readonly nextAddress: () => string
  /** Closes idle connections well before the server, or it could send on a connection that is being closed. */
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 1_000 })
  private address: string

  /** @param nextAddress returns unused addresses */
  constructor(port: number, nextAddress: () => string) {
    this.port = port
    this.nextAddress = nextAddress
    this.address = nextAddress()
  }

  /** From now on, requests come from an unused address with a full rate limit. */
  newVisitor(): string {
    this.address = this.nextAddress()
    return this.address
  }

  get(target: string, options: Options = {}): Promise<Received> {
    return this.send({ method: "GET", target, ...options })
  }

  /** Sends a value as JSON. */
  post(target: string, value: unknown, options: Options = {}): Promise<Received> {
    return this.send({ ...options, method: "POST", target, ...json(value, options) })
  }

  /** Sends one request and checks the response's conventions. */
  async send(message: Message): Promise<Received> {
    const headers: Record<string, string> = {
      "x-forwarded-for": message.address ?? this.address,
      ...(message.key !== undefined && { "x-api-key": message.key }),
      ...(message.token !== undefined && { authorization: `Bearer ${message.token}` }),
      ...message.headers
    }
    const { method, target } = message
    const received = await this.exchange(method, target, headers, message.body)
    assertConventions({ method, target, headers }, received)
    return received
  }

  /**
   * Sends bytes on a new connection, and returns all responses until the server closes it.
   *
   * @throws Error if the server does not close the connection
   */
  async sendRaw(message: RawMessage): Promise<ReadonlyArray<Received>> {
    const { asked = [] } = message
    const answered = await this.exchangeRaw(message)
    const responses = parseResponses(answered, (i) => asked[i]?.method ?? "GET")
    for (const [i, received] of responses.entries()) {
      assertConventions({ method: "-", target: "-", headers: {}, ...asked[i] }, received)
    }
    return responses
  }

  close(): void {
    this.agent.destroy()
  }

  private exchange(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Message["body"]
  ): Promise<Received> {
    const { agent, port } = this
    return new Promise((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, agent, method, path, headers: withLength(headers, body) })
      sent.on("error", reject)
      sent.on("response", (response) => collect(response).then(resolve, reject))
      write(sent, body)
    })
  }

  private exchangeRaw({ bytes, half = false, readsLate = false }: RawMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Array<Buffer> = []
      const socket = connect({ host: "127.0.0.1", port: this.port, allowHalfOpen: true })
      const timeout = setTimeout(() => {
        socket.destroy()
        reject(new Error("the server left the connection open"))
      }, closing_ms)
      socket.on("data", (chunk: Buffer) => chunks.push(chunk))
      if (readsLate) socket.pause()
      // The server resets the connection if it leaves bytes unread, after the answer.
      socket.on("error", () => {})
      socket.on("end", () => socket.end())
      socket.on("close", () => {
        clearTimeout(timeout)
        resolve(Buffer.concat(chunks))
      })
      socket.write(bytes, (error) => {
        if (readsLate && error) reject(new Error(`the connection ended before all was written: ${error.message}`))
        if (readsLate) socket.resume()
        if (half) socket.end()
      })
    })
  }
}

/** A path with a query string. */
export const url = (path: string, query: Readonly<Record<string, string | number>> = {}): string => {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`
}

/** A value as the body of a message. */
export const json = (value: unknown, options: Options = {}): Pick<Message, "body" | "headers"> => ({
  headers: { "content-type": "application/json", ...options.headers },
  body: JSON.stringify(value)
})

/** Fields as the form of a message. */
export const form = (
  fields: Readonly<Record<string, unknown>>,
  options: Options = {}
): Pick<Message, "body" | "headers"> => ({
  headers: { "content-type": "application/x-www-form-urlencoded", ...options.headers },
  body: String(new URLSearchParams(fields as Readonly<Record<string, string>>))
})

/** Timeout for the server to close a connection. */
const closing_ms = 5_000

const withLength = (headers: Readonly<Record<string, string>>, body: Message["body"]) =>
  typeof body === "string" || body instanceof Uint8Array
    ? { ...headers, "content-length": String(Buffer.byteLength(body)) }
    : { ...headers }

const write = (sent: ClientRequest, body: Message["body"]): void => {
  if (typeof body === "string" || body instanceof Uint8Array) sent.end(body)
  else {
    for (const chunk of body ?? []) sent.write(chunk)
    sent.end()
  }
}

const collect = async (response: IncomingMessage): Promise<Received> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of response) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const headers: Record<string, string> = {}
  const headerNames: Array<string> = []
  for (let i = 0; i < response.rawHeaders.length; i += 2) {
    const name = (response.rawHeaders[i] as string).toLowerCase()
    headerNames.push(name)
    headers[name] = response.rawHeaders[i + 1] as string
  }
  return { status: response.statusCode as number, headers, headerNames, body, text: body.toString("utf8") }
}
