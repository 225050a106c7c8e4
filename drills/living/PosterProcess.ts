/** The process that posts changes, which can be killed and started again. */
import type { ChildProcess } from "node:child_process"
import { forkSource } from "./forkSource.ts"
import type { PosterMessage, PosterOptions, PosterOrder } from "./Poster.ts"

export class PosterProcess {
  /** Answers that were not to be expected. */
  readonly failures: Array<string> = []
  private readonly options: PosterOptions
  private readonly onSending: (postcodes: ReadonlyArray<string>) => void
  private process: ChildProcess | undefined
  private rate = 0
  private waiting: { readonly tag: PosterMessage["_tag"]; readonly resolve: () => void } | undefined

  /** @param onSending called with some of the postcodes of each batch, before it is sent */
  constructor(options: PosterOptions, onSending: (postcodes: ReadonlyArray<string>) => void) {
    this.options = options
    this.onSending = onSending
  }

  /** Starts the process, which goes on at the rate of before. */
  async run(): Promise<void> {
    const child = forkSource(new URL("./runPoster.ts", import.meta.url), this.options, 10)
    this.process = child
    const ready = this.hear("Ready")
    child.on("message", (message: PosterMessage) => this.take(message))
    child.once("exit", (code) => {
      // Null after a signal.
      if (code !== null) this.failures.push(`the process that posts ended with ${code}`)
      this.waiting?.resolve()
    })
    await ready
    this.tell({ rate: this.rate })
  }

  /** Posts so many changes a second from now on. */
  start(rate: number): void {
    this.rate = rate
    this.tell({ rate })
  }

  /** Stops posting, and waits until every batch is answered. */
  async pause(): Promise<void> {
    this.rate = 0
    const idle = this.hear("Idle")
    this.tell({ rate: 0 })
    await idle
  }

  async kill(): Promise<void> {
    const child = this.process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGKILL")
    await ended
  }

  private tell(order: PosterOrder): void {
    this.process?.send(order)
  }

  private hear(tag: PosterMessage["_tag"]): Promise<void> {
    return new Promise((resolve) => {
      this.waiting = { tag, resolve }
    })
  }

  private take(message: PosterMessage): void {
    if (message._tag === "Sending") this.onSending(message.postcodes)
    if (message._tag === "Failed") this.failures.push(message.reason)
    if (message._tag === this.waiting?.tag) {
      this.waiting.resolve()
      this.waiting = undefined
    }
  }
}
