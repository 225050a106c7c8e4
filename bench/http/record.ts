/** What a service answers, so that another server can answer the same. */
import { Agent, type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import type { RawAnswer } from "./rawProcess.ts"
import type { Asked } from "./Traffic.ts"

/** Asks one after the other, on one connection. */
export const record = async (port: number, asked: ReadonlyArray<Asked>): Promise<ReadonlyArray<RawAnswer>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const answers: Array<RawAnswer> = []
    for (const one of asked) answers.push(await ask(agent, port, one))
    return answers
  } finally {
    agent.destroy()
  }
}

const ask = async (agent: Agent, port: number, { body, headers, method, target }: Asked): Promise<RawAnswer> => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ agent, port, host: "127.0.0.1", method, path: target, headers }, resolve)
    sent.on("error", reject)
    sent.end(body)
  })
  const answered = await text(response)
  if (response.statusCode !== 200) throw new Error(`${method} ${target}: ${response.statusCode} ${answered}`)
  const own = Object.entries(response.headers).filter(([name]) => !addedByNode.has(name))
  return { headers: Object.fromEntries(own) as RawAnswer["headers"], body: answered }
}

const addedByNode = new Set(["connection", "date", "keep-alive"])
