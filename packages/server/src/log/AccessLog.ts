/**
 * The access log: one JSON line per response on standard error. Lines are written in batches, since a write per
 * response costs more than the response; the rest is flushed when the scope closes.
 */
import type { AnswerRecord } from "@postcode/http"
import { Effect, type Scope } from "effect"
import { logOutput } from "./LogOutput.ts"

const flushPause_ms = 500
const flushAt = 1 << 16

/** Logs each response. A record has no key, token, address or parameter, only the key's id. */
export type AccessLog = (record: AnswerRecord) => void

/** The access log of this process. */
export const makeAccessLog: Effect.Effect<AccessLog, never, Scope.Scope> = Effect.gen(function* () {
  let lines = ""
  let count = 0
  const flush = () => {
    if (count > 0) logOutput.write(lines, count)
    lines = ""
    count = 0
  }
  const timer = setInterval(flush, flushPause_ms)
  timer.unref()
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      clearInterval(timer)
      flush()
    })
  )
  return (record) => {
    lines += accessLine(record)
    count++
    if (lines.length >= flushAt) flush()
  }
})

/** Undefined fields are omitted. */
const accessLine = (record: AnswerRecord): string => {
  const { duration_ms, key_id, method, operation, request_id, status, trace_id } = record
  const line = {
    at: new Date().toISOString(),
    request_id,
    method,
    operation,
    status,
    duration_ms: Math.round(duration_ms * 1000) / 1000,
    key_id,
    trace_id
  }
  return `${JSON.stringify(line)}\n`
}
