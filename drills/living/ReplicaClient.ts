/** Requests to one replica, over one connection. */
import { Agent, type IncomingMessage, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import type { ShownUnit } from "./Watcher.ts"

export class ReplicaClient {
  readonly port: number
  private readonly secret: string
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(port: number, secret: string) {
    this.port = port
    this.secret = secret
  }

  /** The results of a batch lookup, at most 100. */
  async lookup(codes: ReadonlyArray<string>, level: 1 | 5): Promise<ReadonlyArray<ShownUnit>> {
    const { results } = await this.call<{ readonly results: ReadonlyArray<{ readonly result: ShownUnit }> }>(
      "POST",
      "/v1/lookup/batch",
      { level, codes }
    )
    return results.map(({ result }) => result)
  }

  /** Returns `data`. An answer of 503 is asked for again. */
  async call<A>(method: string, path: string, body?: object): Promise<A> {
    for (let attempt = 1; ; attempt++) {
      const { status, text } = await this.send(method, path, body)
      if (status === 200) return (JSON.parse(text) as { readonly data: A }).data
      if (status !== 503 || attempt === maxAttempts) throw new Error(`${method} ${path}: ${status} ${text}`)
      await setTimeout(500)
    }
  }

  close(): void {
    this.agent.destroy()
  }

  private async send(method: string, path: string, body: object | undefined) {
    const headers = { "x-api-key": this.secret, ...(body && { "content-type": "application/json" }) }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: "127.0.0.1", port: this.port, path, method, headers, agent: this.agent }
      request(options, resolve)
        .on("error", reject)
        .end(body && JSON.stringify(body))
    })
    const text = Buffer.concat(await response.toArray()).toString()
    return { status: response.statusCode ?? 0, text }
  }
}

const maxAttempts = 60
