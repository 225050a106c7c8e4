/** A request whose headers have arrived and whose body has not. */
import { request } from "node:http"

/** The answer, after the body is sent. */
export interface LateAnswer {
  readonly status: number | undefined
  /** The header `Connection`. */
  readonly connection: string | undefined
  readonly text: string
}

/** Sends a request without its body, and waits until it has arrived. */
export const halfSent = async (
  port: number,
  target: string,
  body: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<{ readonly answer: Promise<LateAnswer>; readonly finish: () => void }> => {
  const sent = request({
    host: "127.0.0.1",
    port,
    method: "POST",
    path: target,
    headers: { ...headers, "content-type": "application/json", "content-length": body.length, expect: "100-continue" }
  })
  const answer = new Promise<LateAnswer>((resolve, reject) => {
    sent.on("error", reject)
    sent.on("response", async (response) => {
      const text = Buffer.concat(await response.toArray()).toString("utf8")
      resolve({ status: response.statusCode, connection: response.headers.connection, text })
    })
  })
  // The server sends 100 after it has read the headers, so the request is in flight from here on.
  await new Promise<void>((resolve) => {
    sent.once("continue", resolve)
    sent.flushHeaders()
  })
  return { answer, finish: () => void sent.end(body) }
}
