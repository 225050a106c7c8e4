/**
 * Sends batches of changes at a rate, several at a time, each until it is answered. A process that was killed goes on
 * where its journal ends: a batch that may have been stored is sent again under its reference.
 */
import { setTimeout } from "node:timers/promises"
import { DemoSample } from "../kit/DemoSample.ts"
import { type Batch, type ChangeStream, streamsOf } from "./ChangeStream.ts"
import { appendEntry, type JournalEntry, now_ms, readJournal } from "./Journal.ts"

export interface PosterOptions {
  readonly ports: ReadonlyArray<number>
  /** The header of an operator. */
  readonly authorization: string
  readonly units: number
  readonly sample: number
  readonly seed: number
  readonly large: boolean
  readonly journal: string
}

/** An order to the process. */
export interface PosterOrder {
  /** Changes a second; 0 stops, and is answered by `Idle`. */
  readonly rate: number
}

/** What the process reports. */
export type PosterMessage =
  | { readonly _tag: "Ready" }
  /** Some of the postcodes of a batch that is being sent. */
  | { readonly _tag: "Sending"; readonly postcodes: ReadonlyArray<string> }
  | { readonly _tag: "Idle" }
  /** An answer that was not to be expected. */
  | { readonly _tag: "Failed"; readonly reason: string }

export class Poster {
  private readonly options: PosterOptions
  private readonly report: (message: PosterMessage) => void
  private readonly streams: ReadonlyArray<ChangeStream>
  private rate = 0
  private due_ms = 0
  private inFlight = 0
  private sent = 0
  /** One stream after the other waits for the time of its next batch. */
  private turn: Promise<void> = Promise.resolve()

  constructor(options: PosterOptions, report: (message: PosterMessage) => void) {
    this.options = options
    this.report = report
    this.streams = streamsOf(new DemoSample(options, options.sample), options.seed, options.large)
  }

  async run(): Promise<void> {
    for (const { lane, number } of readJournal(this.options.journal)) {
      const batch = (this.streams[lane] as ChangeStream).next()
      if (batch.number !== number) throw new Error(`lane ${lane}: batch ${number} stands where ${batch.number} should`)
    }
    this.report({ _tag: "Ready" })
    await Promise.all(this.streams.map((stream) => this.runStream(stream)))
  }

  obey({ rate }: PosterOrder): void {
    this.rate = rate
    this.reportIfIdle()
  }

  private async runStream(stream: ChangeStream): Promise<void> {
    for (let isRight = true; isRight; ) {
      const batch = stream.next()
      await this.untilDue(batch.changes.length)
      isRight = await this.post(batch)
      this.inFlight--
      this.reportIfIdle()
    }
  }

  private reportIfIdle(): void {
    if (this.rate === 0 && this.inFlight === 0) this.report({ _tag: "Idle" })
  }

  private untilDue(changes: number): Promise<void> {
    const due = this.turn.then(() => this.untilNextDue(changes))
    this.turn = due
    return due
  }

  private async untilNextDue(changes: number): Promise<void> {
    for (;;) {
      while (this.rate === 0) await setTimeout(pause_ms)
      const start_ms = Math.max(this.due_ms, now_ms() - maxBehind_ms)
      await setTimeout(Math.max(0, start_ms - now_ms()))
      if (this.rate === 0) continue
      // Large batches come on top of the rate.
      this.due_ms = start_ms + (1_000 * Math.min(changes, 100)) / this.rate
      this.inFlight++
      return
    }
  }

  /** Returns whether the answer is as expected. */
  private async post(batch: Batch): Promise<boolean> {
    const { changes, effects, lane, number, reference } = batch
    const postcodes = changes.map(({ postcode }) => postcode)
    const shown = [0, 0.3, 0.6, 1].map((part) => postcodes[Math.floor(part * (postcodes.length - 1))] as string)
    this.report({ _tag: "Sending", postcodes: shown })
    const body = JSON.stringify({ reference, reason: "for a test", allow_removals: "all", changes })
    const sent_ms = now_ms()
    for (let attempt = 1; ; attempt++) {
      const { answer, status } = await this.send(body)
      const times = { attempts: attempt, sent_ms, answered_ms: now_ms() }
      if ((status === 200 || status === 201) && effects !== undefined && answer?.data !== undefined) {
        const { applied, repeated, unchanged, version } = answer.data
        this.note({ lane, number, applied: { version, applied, unchanged, repeated }, ...times })
        return true
      }
      if (status === 400 && effects === undefined) {
        this.note({ lane, number, ...times })
        return true
      }
      if (!mayBeRepeated.has(status)) {
        this.report({ _tag: "Failed", reason: `${reference}: ${status} ${JSON.stringify(answer).slice(0, 500)}` })
        return false
      }
      await setTimeout(pause_ms + Math.random() * 100)
    }
  }

  private note(entry: JournalEntry): void {
    appendEntry(this.options.journal, entry)
  }

  private async send(body: string): Promise<{ readonly status: number; readonly answer: Answer | undefined }> {
    const { authorization, ports } = this.options
    const port = ports[this.sent++ % ports.length] as number
    try {
      const response = await fetch(`http://127.0.0.1:${port}/v1/admin/directory/changes`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(timeout_ms)
      })
      return { status: response.status, answer: (await response.json()) as Answer }
    } catch {
      return { status: 0, answer: undefined }
    }
  }
}

interface Answer {
  readonly data?: NonNullable<JournalEntry["applied"]>
}

/** 0 stands for a lost answer. */
const mayBeRepeated: ReadonlySet<number> = new Set([0, 429, 503])

const pause_ms = 20
const timeout_ms = 60_000

/** What was missed before is not caught up. */
const maxBehind_ms = 2_000
