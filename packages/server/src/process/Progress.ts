/**
 * Progress of long work on standard error: one moving line on a terminal, an occasional plain line elsewhere. Short
 * work prints nothing.
 */
import { host } from "./Host.ts"
import { say } from "./Output.ts"

/** Reports the progress of one task. */
export interface Progress {
  /**
   * Reports how much is done, and which fraction of the whole it is, from 0 to 1. Cheap enough for every chunk, not for
   * every unit.
   */
  readonly update: (done: number, share: number) => void
  /** Reports the end of the task, if it took long enough. */
  readonly finish: (done: number) => void
  /** Prints a message during the task. */
  readonly say: (text: string) => void
  /** Shows on a terminal that a stage without measurable progress begins. */
  readonly announce: () => void
  /** Clears the moving line on a terminal after a failure, which is reported elsewhere. */
  readonly clear: () => void
}

/** The task's name, and when to report it. */
export interface ProgressOptions {
  /** The task: `reading units.csv`. */
  readonly doing: string
  /** The counted unit: `units`. */
  readonly what: string
  /** Shorter work is not reported. */
  readonly quiet_ms?: number
}

const terminalPause_ms = 100
const linePause_ms = 5_000

/** Starts to report a task that begins now. */
export const makeProgress = (options: ProgressOptions): Progress => {
  const stream = host().stderr
  const onTerminal = stream.isTTY === true
  const quiet_ms = options.quiet_ms ?? 1_000
  const pause_ms = onTerminal ? terminalPause_ms : linePause_ms
  const started_ms = performance.now()
  let next_ms = started_ms + Math.max(quiet_ms, onTerminal ? 0 : pause_ms)
  let shown = false

  const clear = () => {
    if (onTerminal && shown) stream.write("\r\u001b[K")
    shown = false
  }
  return {
    update: (done, share) => {
      const now_ms = performance.now()
      if (now_ms < next_ms) return
      next_ms = now_ms + pause_ms
      const line = describe(options, done, share, now_ms - started_ms)
      if (!onTerminal) return say(line)
      stream.write(`\r${line.slice(0, (stream.columns ?? 80) - 1)}\u001b[K`)
      shown = true
    },
    finish: (done) => {
      clear()
      const elapsed_ms = performance.now() - started_ms
      if (elapsed_ms >= quiet_ms) say(summarize(options, done, elapsed_ms))
    },
    say: (text) => {
      clear()
      say(text)
    },
    announce: () => {
      if (!onTerminal) return
      stream.write(`${options.doing}…`)
      shown = true
    },
    clear
  }
}

const describe = ({ doing, what }: ProgressOptions, done: number, share: number, elapsed_ms: number): string => {
  const rate = Math.round(done / (elapsed_ms / 1000))
  const left = share > 0 ? `, ${duration((elapsed_ms * (1 - share)) / share)} left` : ""
  return `${doing}: ${amountOf(done, what)}, ${grouped(rate)} a second, ${duration(elapsed_ms)}${left}`
}

const summarize = ({ doing, what }: ProgressOptions, done: number, elapsed_ms: number): string => {
  const rate = Math.round(done / (elapsed_ms / 1000))
  return `${doing}: ${amountOf(done, what)} in ${duration(elapsed_ms)}, ${grouped(rate)} a second`
}

/** `250000` → `250,000`. */
export const grouped = (count: number): string => count.toLocaleString("en-US")

/** A number of things: `1 unit`, `1,204 units`. */
export const counted = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? "" : "s"}`

/** @param what in the plural */
const amountOf = (done: number, what: string): string =>
  `${grouped(done)} ${done === 1 ? what.replace(/s$/, "") : what}`

/** `0.4 s`, `12 s`, `3 min 05 s`. */
const duration = (elapsed_ms: number): string => {
  const seconds = elapsed_ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`
}
