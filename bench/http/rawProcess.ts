/**
 * The peer: bare `node:http`. Its responses are known beforehand, so it reads a request to its end and returns the next
 * one.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { answerParent } from "./Child.ts"

/** A response without the headers that Node adds. */
export interface RawAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let answers: ReadonlyArray<RawAnswer> = []
let given = 0

const server = createServer((req, res) => {
  const { body, headers } = answers[given++ % answers.length] as RawAnswer
  const answer = () => {
    res.writeHead(200, headers)
    res.end(body)
  }
  if (req.method === "GET") return answer()
  req.resume()
  req.on("end", answer)
})
// The same timeout as the service, so that the header has the same length.
server.keepAliveTimeout = 65_000

/** Sets the responses; returns the port. */
answerParent(async (known: ReadonlyArray<RawAnswer>): Promise<number> => {
  answers = known
  given = 0
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
})
