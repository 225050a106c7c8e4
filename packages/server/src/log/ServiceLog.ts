/**
 * The service log, mainly the cause of each 500: one JSON line on standard error. effect's default logger would write
 * to standard output, which is for data.
 */
import { Cause, Context, Logger, Tracer } from "effect"
import { logOutput } from "./LogOutput.ts"

const serviceLog = Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
  const parts = Array.isArray(message) ? message : [message]
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  const line = JSON.stringify({
    at: date.toISOString(),
    level: logLevel.toLowerCase(),
    message: parts.map((part) => (typeof part === "string" ? part : String(part))).join(" "),
    ...(span?.sampled && { trace_id: span.traceId }),
    ...(cause.reasons.length > 0 && { cause: Cause.pretty(cause) })
  })
  logOutput.write(`${withoutKeys(line)}\n`, 1)
})

/** Replaces all other loggers. */
export const layerServiceLog = Logger.layer([serviceLog])

/** A caller can send a key as its request id, and a cause can quote it; logs must not contain keys. */
const withoutKeys = (line: string): string => line.replace(/(svc_(?:test|live|pk|mk)_)[0-9A-Za-z]+/g, "$1…")
