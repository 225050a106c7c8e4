/** One call to its end: as many attempts as it takes, within its time. */
import { type Answer, resultOf } from "./Answer.ts"
import { type CallTime, sleep, startTime, timeUp } from "./CallTime.ts"
import { metaOf } from "./Meta.ts"
import { isPostcodeError, PostcodeError, type PostcodeErrorFields } from "./PostcodeError.ts"
import { mayRepeat, waitBefore_ms } from "./repeating.ts"

/** How a request is sent: `fetch`, or what stands in its place. */
export type Fetch = (request: Request) => Promise<Response>

export interface Call {
  readonly url: string
  /** Sent at each attempt, the same. */
  readonly init: { readonly method: string; readonly headers: Headers; readonly body: string | null }
  readonly fetch: Fetch
  /** Whether it may be done twice. */
  readonly repeatable: boolean
  /** How many attempts may follow the first one. */
  readonly retries: number
  readonly timeout_ms: number
  readonly signal: AbortSignal | undefined
}

/**
 * @throws PostcodeError if there is no success
 * @throws what the caller's signal was aborted for, as fetch does
 */
export const answerTo = async (call: Call): Promise<Answer<unknown>> => {
  call.signal?.throwIfAborted()
  const time = startTime(call.timeout_ms, call.signal)
  const made: Made = { attempts: 0, failure: undefined }
  try {
    // A fetch that does not heed its signal keeps nobody waiting.
    return await Promise.race([askUntilAnswered(call, time, made), time.over])
  } catch (error) {
    if (error !== timeUp) throw error
    const message = `no answer within ${call.timeout_ms} ms`
    throw unanswered(call, made.attempts, { code: "timeout", message, cause: made.failure })
  } finally {
    time.release()
  }
}

/** What was done for a call so far. */
interface Made {
  attempts: number
  failure: PostcodeError | undefined
}

const askUntilAnswered = async (call: Call, time: CallTime, made: Made): Promise<Answer<unknown>> => {
  for (;;) {
    made.attempts++
    const result = await ask(call, made.attempts, time.signal)
    if (!isPostcodeError(result)) return result
    time.signal.throwIfAborted()
    made.failure = result
    const wait_ms = waitBefore_ms(made.attempts, result.retry_after_s)
    const isLast = made.attempts > call.retries || !mayRepeat(result, call.repeatable)
    // Whoever is told to come back when it is too late learns that at once.
    if (isLast || wait_ms >= time.left_ms()) throw result
    await sleep(wait_ms, time.signal)
    time.signal.throwIfAborted()
  }
}

const ask = async (call: Call, attempts: number, signal: AbortSignal): Promise<Answer<unknown> | PostcodeError> => {
  // A redirect would take the key to where it leads.
  const request = new Request(call.url, { ...call.init, signal, redirect: "manual" })
  // Browsers refuse it as a method of anything.
  const { fetch } = call
  let message = "the service cannot be reached"
  try {
    const response = await fetch(request)
    message = "the answer broke off"
    return await resultOf(response, attempts, sentId(call))
  } catch (cause) {
    return unanswered(call, attempts, { code: "network_error", message, cause })
  }
}

const unanswered = (call: Call, attempts: number, fields: Omit<PostcodeErrorFields, "meta">): PostcodeError =>
  new PostcodeError({ ...fields, meta: metaOf({ status: 0, headers: new Headers() }, attempts, sentId(call)) })

const sentId = ({ init }: Call): string | undefined => init.headers.get("x-request-id") ?? undefined
