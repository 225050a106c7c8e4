/** What one response comes to: the payload of a success, or a failure. */
import { type Meta, metaOf, retryAfter_s } from "./Meta.ts"
import { PostcodeError, type PostcodeErrorCode } from "./PostcodeError.ts"

/** A success: what it holds in `data`, and what is known of it besides. */
export interface Answer<A> {
  readonly data: A
  readonly meta: Meta
}

/** @throws whatever reading the body fails with */
export const resultOf = async (
  response: Response,
  attempts: number,
  request_id: string | undefined
): Promise<Answer<unknown> | PostcodeError> => {
  const { data, error } = Object(await read(response)) as { readonly data?: unknown; readonly error?: unknown }
  const meta = metaOf(response, attempts, request_id)
  if (response.ok && data !== undefined) return { data, meta }
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  const wait_s = retryAfter_s(response.headers)
  return response.ok || typeof code !== "string" || typeof message !== "string"
    ? new PostcodeError({
        code: "unexpected_answer",
        message: `what answered with status ${meta.status} is not the service`,
        retry_after_s: wait_s,
        meta
      })
    : new PostcodeError({
        code: code as PostcodeErrorCode,
        message,
        // The service always says it of these; a proxy may have taken it away.
        retry_after_s: meta.status === 429 || meta.status === 503 ? (wait_s ?? 1) : undefined,
        meta
      })
}

/** The value of a body; undefined if it is no JSON. Such a body is not waited for, and its connection is let go. */
const read = async (response: Response): Promise<unknown> => {
  if (!/^application\/json\b/i.test(response.headers.get("content-type") ?? "")) {
    response.body?.cancel().catch(() => {})
    return undefined
  }
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
