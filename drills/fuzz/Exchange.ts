/** One exchange with the service: what was sent, what came back, and what is wrong with that. */
import { parseResponses, type Received, type Sent } from "@postcode/conformance/wire"
import { type Asked, type Connection, converse, WireFault } from "./Connection.ts"
import { frame } from "./Framing.ts"
import { judge } from "./Judge.ts"
import { bytesOf, type FuzzRequest, sentOf } from "./requests/FuzzRequest.ts"
import type { Interface } from "./requests/Interface.ts"

export interface Exchanged {
  readonly received: ReadonlyArray<Received>
  readonly faults: ReadonlyArray<string>
  readonly time_ms: number
}

/** Sends a request of which the answer is known to be one. */
export const exchange = async (
  described: Interface,
  connection: Connection,
  request: FuzzRequest
): Promise<Exchanged> => {
  const sent = sentOf(request)
  return await heard(
    () => connection.ask(bytesOf(request), request.method !== "HEAD"),
    (bytes) => {
      const received = parseResponses(bytes, () => request.method)
      const tooMany = received.length === 1 ? [] : [`${received.length} answers to one request`]
      return { received, faults: [...tooMany, ...received.flatMap((one) => judge(described, sent, one))] }
    }
  )
}

/** Sends bytes that may be one request, several, or none. */
export const exchangeRaw = async (
  described: Interface,
  port: number,
  pieces: ReadonlyArray<Buffer>
): Promise<Exchanged> => {
  const { begun, hasMore, requests } = frame(Buffer.concat(pieces))
  const heads = begun === undefined ? requests : [...requests, begun]
  return await heard(
    () => converse(port, pieces, requests.length),
    (bytes) => {
      const received = parseResponses(bytes, (i) => heads[i]?.method ?? "GET")
      const most = requests.length + (hasMore ? 1 : 0)
      const tooMany = received.length <= most ? [] : [`${received.length} answers to at most ${most} requests`]
      const judged = received.flatMap((one, i) => {
        const framed = isRefusal(one) ? undefined : heads[i]
        const sent = framed === undefined ? unknown : { ...framed, target: originForm(framed.target) }
        return judge(described, sent, one)
      })
      return { received, faults: [...tooMany, ...judged] }
    }
  )
}

const heard = async (
  ask: () => Promise<Asked>,
  read: (bytes: Buffer) => Pick<Exchanged, "faults" | "received">
): Promise<Exchanged> => {
  try {
    const { bytes, time_ms } = await ask()
    return { ...read(bytes), time_ms }
  } catch (error) {
    // What cannot be read as answers at all is thrown by the reader, in words.
    const reason = error instanceof WireFault ? error.message : `the answer is no HTTP: ${String(error)}`
    return { received: [], faults: [reason], time_ms: 0 }
  }
}

/** Of what is no request nothing is known. */
const unknown: Sent = { method: "-", target: "-", headers: {} }

/** Whether an answer is to bytes, and not to a request. */
const isRefusal = ({ text }: Received): boolean =>
  /not a valid HTTP request|request line and headers are too long|took too long to arrive|CONNECT is not supported/.test(
    text
  )

const originForm = (target: string): string =>
  target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "")
