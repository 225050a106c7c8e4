/** Reads a response: the payload of a success, or an error. */
import { type Meta, metaOf, retryAfter_s } from "./Meta.ts"
import { PostcodeError, type PostcodeErrorCode } from "./PostcodeError.ts"

/** A success: the payload in `data`, and its metadata. */
export interface Answer<A> {
  readonly data: A
  readonly meta: Meta
}

/**
 * @param path of the request, with the names of its parameters
 * @throws the error of reading the body
 */
export const resultOf = async (
  response: Response,
  attempts: number,
  request_id: string | undefined,
  path: string
): Promise<Answer<unknown> | PostcodeError> => {
  const { data, error } = Object(await read(response)) as { readonly data?: unknown; readonly error?: unknown }
  const meta = metaOf(response, attempts, request_id)
  if (response.ok && data !== undefined) return { data, meta }
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  const wait_s = retryAfter_s(response.headers)
  return response.ok || typeof code !== "string" || typeof message !== "string"
    ? new PostcodeError({
        code: "unexpected_answer",
        message: `the response with status ${meta.status} at ${path} did not come from the service`,
        retry_after_s: wait_s,
        meta
      })
    : new PostcodeError({
        code: code as PostcodeErrorCode,
        message,
        // The service always sets these headers; a proxy may have removed them.
        retry_after_s: meta.status === 429 || meta.status === 503 ? (wait_s ?? 1) : undefined,
        meta
      })
}

/** The JSON value of a body. Undefined if it is not JSON: then the body is cancelled unread. */
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
