/** Records a service's responses, so that another server can return them. */
import { Agent, type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import type { RawAnswer } from "./rawProcess.ts"
import type { ClientRequest } from "./Traffic.ts"

/** Sends requests one by one on one connection; retries those that get 503. */
export const record = async (port: number, asked: ReadonlyArray<ClientRequest>): Promise<ReadonlyArray<RawAnswer>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const answers: Array<RawAnswer> = []
    for (const one of asked) answers.push(await ask(agent, port, one))
    return answers
  } finally {
    agent.destroy()
  }
}

const ask = async (agent: Agent, port: number, asked: ClientRequest): Promise<RawAnswer> => {
  const { body, headers, method, target } = asked
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ agent, port, host: "127.0.0.1", method, path: target, headers }, resolve)
    sent.on("error", reject)
    sent.end(body)
  })
  const answered = await text(response)
  if (response.statusCode === 503) {
    await sleep(1000 * Number(response.headers["retry-after"] ?? 1))
    return ask(agent, port, asked)
  }
  if (response.statusCode !== 200) throw new Error(`${method} ${target}: ${response.statusCode} ${answered}`)
  const own = Object.entries(response.headers).filter(([name]) => !addedByNode.has(name))
  return { headers: Object.fromEntries(own) as RawAnswer["headers"], body: answered }
}

const addedByNode = new Set(["connection", "date", "keep-alive"])
