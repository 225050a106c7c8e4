/**
 * How far a long piece of work is, on standard error: one line that moves on a terminal, now and then a plain line
 * elsewhere. Work that is over at once says nothing.
 */
import { host } from "./Host.ts"
import { say } from "./Output.ts"

/** Tells of one piece of work. */
export interface Progress {
  /**
   * Tells how much is done by now, and which share of the whole that is, from 0 to 1. Cheap enough for every chunk, not
   * for every unit.
   */
  readonly update: (done: number, share: number) => void
  /** Tells that all is done; says so if the work was worth a word. */
  readonly finish: (done: number) => void
  /** Says something in between. */
  readonly say: (text: string) => void
  /** Shows on a terminal that work begins which cannot tell how far it is. */
  readonly announce: () => void
  /** Takes away what moves on a terminal: the work has failed, and others say so. */
  readonly clear: () => void
}

/** What the work is called, and when it is worth a word. */
export interface ProgressOptions {
  /** What is being done: `reading units.csv`. */
  readonly doing: string
  /** What is counted: `units`. */
  readonly what: string
  /** Work that ends within this time is not mentioned. */
  readonly quiet_ms?: number
}

const terminalPause_ms = 100
const linePause_ms = 5_000

/** Begins to tell of work that begins now. */
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
  return `${doing}: ${grouped(done)} ${what}, ${grouped(rate)} a second, ${duration(elapsed_ms)}${left}`
}

const summarize = ({ doing, what }: ProgressOptions, done: number, elapsed_ms: number): string => {
  const rate = Math.round(done / (elapsed_ms / 1000))
  return `${doing}: ${grouped(done)} ${what} in ${duration(elapsed_ms)}, ${grouped(rate)} a second`
}

/** `250000` → `250,000`. */
export const grouped = (count: number): string => count.toLocaleString("en-US")

/** `0.4 s`, `12 s`, `3 min 05 s`. */
const duration = (elapsed_ms: number): string => {
  const seconds = elapsed_ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`
}
