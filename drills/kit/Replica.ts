/** A replica of the service as a process on a port of its own, which can be killed and started again. */
import type { ChildProcess } from "node:child_process"
import { atEndOfProcess, freePort } from "./postgres/index.ts"
import { start } from "./StartCommand.ts"

export class Replica {
  readonly port: number
  private env: Readonly<Record<string, string>>
  private process: ChildProcess | undefined
  private said = ""

  private constructor(port: number, env: Readonly<Record<string, string>>) {
    this.port = port
    this.env = env
  }

  static async start(env: Readonly<Record<string, string>>): Promise<Replica> {
    const replica = new Replica(await freePort(), env)
    await replica.run()
    return replica
  }

  /** Its process id, which changes with each start. */
  get pid(): number {
    return this.process?.pid ?? 0
  }

  /** Starts the process and waits until it answers. Another environment than before stays that of later starts. */
  async run(env = this.env): Promise<void> {
    this.env = env
    const child = start(["serve", "--port", `${this.port}`], { env: this.env })
    this.process = child
    // A run that breaks off must not leave replicas behind.
    child.once("close", atEndOfProcess('kill -9 "$1"', `${child.pid}`))
    this.said = ""
    child.stdout.resume()
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        this.said = (this.said + text).slice(-longestLog)
        if (/^ready /m.test(this.said)) resolve()
      })
      child.once("close", (code, signal) =>
        reject(new Error(`a replica ended with ${signal ?? code} before it was ready:\n${this.said}`))
      )
    })
  }

  /** What it wrote to standard error since it was started, as far as that is kept. */
  get log(): string {
    return this.said
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    await this.end("SIGKILL")
  }

  async stop(): Promise<void> {
    await this.end("SIGTERM")
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once("close", resolve))
    child.kill(signal)
    await ended
  }
}

const longestLog = 20_000
