/**
 * The peer: `node:http` with nothing on it. It knows what to answer before it is asked, so it reads a request to its end
 * and gives the next of its answers.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { answerParent } from "./Child.ts"

/** An answer as it goes out, but for the headers that Node puts on every one by itself. */
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
// As long as the service does, so that both say so in as many bytes.
server.keepAliveTimeout = 65_000

/** From now on these are its answers; its port. */
answerParent(async (known: ReadonlyArray<RawAnswer>): Promise<number> => {
  answers = known
  given = 0
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
})
