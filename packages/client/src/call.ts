/** One call with all its attempts, within its timeout. */
import { type Answer, resultOf } from "./Answer.ts"
import { type CallTimeout, sleep, startTimeout, timeoutReason } from "./CallTimeout.ts"
import { metaOf } from "./Meta.ts"
import { isPostcodeError, PostcodeError, type PostcodeErrorFields } from "./PostcodeError.ts"
import { canRetry, retryDelay_ms } from "./retries.ts"

/** Sends a request: `fetch` or a replacement. */
export type Fetch = (request: Request) => Promise<Response>

export interface Call {
  readonly url: string
  /** For messages: with the names of parameters in the place of their values. */
  readonly path: string
  /** The same at each attempt. */
  readonly init: { readonly method: string; readonly headers: Headers; readonly body: string | null }
  readonly fetch: Fetch
  /** Whether a retry is safe. */
  readonly repeatable: boolean
  /** Maximum retries. */
  readonly retries: number
  readonly timeout_ms: number
  readonly signal: AbortSignal | undefined
}

/**
 * @throws PostcodeError if the call fails
 * @throws the abort reason of the caller's signal, as fetch does
 */
export const answerTo = async (call: Call): Promise<Answer<unknown>> => {
  call.signal?.throwIfAborted()
  const time = startTimeout(call.timeout_ms, call.signal)
  const made: Made = { attempts: 0, failure: undefined }
  try {
    // Race with the timeout: a replaced fetch may ignore its signal.
    return await Promise.race([sendWithRetries(call, time, made), time.over])
  } catch (error) {
    if (error !== timeoutReason) throw error
    const message = `no response within ${call.timeout_ms} ms`
    throw unanswered(call, made.attempts, { code: "timeout", message, cause: made.failure })
  } finally {
    time.release()
  }
}

/** The attempts of a call so far. */
interface Made {
  attempts: number
  failure: PostcodeError | undefined
}

const sendWithRetries = async (call: Call, time: CallTimeout, made: Made): Promise<Answer<unknown>> => {
  for (;;) {
    made.attempts++
    const result = await ask(call, made.attempts, time.signal)
    if (!isPostcodeError(result)) return result
    time.signal.throwIfAborted()
    made.failure = result
    const wait_ms = retryDelay_ms(made.attempts, result.retry_after_s)
    const isLast = made.attempts > call.retries || !canRetry(result, call.repeatable)
    // If the next attempt would start after the timeout, fail now.
    if (isLast || wait_ms >= time.left_ms()) throw result
    await sleep(wait_ms, time.signal)
    time.signal.throwIfAborted()
  }
}

const ask = async (call: Call, attempts: number, signal: AbortSignal): Promise<Answer<unknown> | PostcodeError> => {
  // Following a redirect would send the key to another server.
  const request = new Request(call.url, { ...call.init, signal, redirect: "manual" })
  // Browsers refuse to call `fetch` as a method.
  const { fetch } = call
  let message = "the service cannot be reached"
  try {
    const response = await fetch(request)
    message = "the response was cut off"
    return await resultOf(response, attempts, sentId(call), call.path)
  } catch (cause) {
    return unanswered(call, attempts, { code: "network_error", message, cause })
  }
}

const unanswered = (call: Call, attempts: number, fields: Omit<PostcodeErrorFields, "meta">): PostcodeError =>
  new PostcodeError({ ...fields, meta: metaOf({ status: 0, headers: new Headers() }, attempts, sentId(call)) })

const sentId = ({ init }: Call): string | undefined => init.headers.get("x-request-id") ?? undefined
