/**
 * The access log: a JSON line on standard error for each answer. Lines are gathered and written together, since a write
 * for each of thousands of answers a second costs more than the answers; what is left is written when the scope closes.
 */
import type { AnswerRecord } from "@postcode/http"
import { Effect, type Scope } from "effect"

const flushPause_ms = 500
const flushAt = 1 << 16

/** Takes the record of each answer. It holds no key, token, address or parameter, only the key's id. */
export type AccessLog = (record: AnswerRecord) => void

export const makeAccessLog: Effect.Effect<AccessLog, never, Scope.Scope> = Effect.gen(function* () {
  let lines = ""
  const flush = () => {
    if (lines !== "") process.stderr.write(lines)
    lines = ""
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
    lines += `${lineOf(record)}\n`
    if (lines.length >= flushAt) flush()
  }
})

const lineOf = ({ duration_ms, key_id, method, operation, request_id, status }: AnswerRecord): string =>
  JSON.stringify({
    at: new Date().toISOString(),
    request_id,
    method,
    operation,
    status,
    duration_ms: Math.round(duration_ms * 1000) / 1000,
    key_id
  })
