/** Builds the record of an answer for logs and metrics. */
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { Cause, Exit, Result } from "effect"
import type { Admission } from "./Admission.ts"
import type { Reply } from "./Dispatch.ts"
import { errorTable, type GatewayError } from "./ErrorTable.ts"
import { type Exchange, isRoute } from "./Exchange.ts"
import type { AnswerCharge, AnswerRecord } from "./GatewayOptions.ts"

/** The key that a request counts for. */
type CallerKey = Pick<Principal, "environment" | "key_id">

export const answerRecord = (
  { request, request_id, started_ms, target }: Exchange,
  { limited, unchecked }: Admission,
  caller: CallerKey | undefined,
  exit: Exit.Exit<Reply, GatewayError>,
  status: number
): AnswerRecord => ({
  request_id,
  method: request.method,
  operation: isRoute(target) ? target.operation : "-",
  status,
  duration_ms: performance.now() - started_ms,
  key_id: caller?.key_id,
  trace_id: request.trace_id,
  error: Exit.isSuccess(exit) ? undefined : codeOf(exit.cause, status),
  limited,
  unchecked: unchecked !== undefined,
  charge: caller === undefined || Exit.isFailure(exit) ? undefined : chargeOf(exit.value, caller)
})

/** A cause with a defect is answered with 500, even if it also contains a failure. */
const codeOf = (cause: Cause.Cause<GatewayError>, status: number): AnswerRecord["error"] => {
  const error = Cause.findError(cause)
  return status !== 500 && Result.isSuccess(error) ? errorTable[error.success._tag][1] : "internal_error"
}

const chargeOf = (reply: Reply, { environment }: CallerKey): AnswerCharge | undefined => {
  if (reply._tag !== "Answer") return undefined
  const { level, receipt } = reply.answer
  return receipt === undefined ? undefined : { credits: receipt.charged, environment, level }
}
