/** A proxy in front of a service that refuses requests, or loses their answers. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What happens to a request: its answer is lost, it is refused with a status and Retry-After, or it passes. */
export type Fault = "lost" | { readonly status: 429 | 503 } | undefined

export interface FlakyProxy extends AsyncDisposable {
  readonly url: string
  /** The number of requests that came. */
  readonly requests: () => number
}

/** @param faultOf what happens to a request by its number, from 1 */
export const startFlakyProxy = async (
  target: string,
  faultOf: (number: number) => Fault | Promise<Fault>
): Promise<FlakyProxy> => {
  let count = 0
  const server = createServer(async (incoming, outgoing) => {
    const fault = await faultOf(++count)
    if (fault === undefined || fault === "lost") forward(target, incoming, outgoing, fault === "lost")
    else {
      incoming.resume()
      outgoing.writeHead(fault.status, { "retry-after": "1", "content-type": "application/json" })
      outgoing.end(JSON.stringify({ error: { code: codes[fault.status], message: "not now" } }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => count,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

const codes = { 429: "rate_limit_exceeded", 503: "service_unavailable" }

const forward = (target: string, incoming: IncomingMessage, outgoing: ServerResponse, loses: boolean): void => {
  const { headers, method, url } = incoming
  const forwarded = request(`${target}${url}`, { method, headers }, (answer) => {
    if (!loses) {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      return
    }
    answer.resume().once("end", () => outgoing.destroy())
  })
  incoming.pipe(forwarded)
}
