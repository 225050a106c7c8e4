/** Requests of OAuth 2.0, which are forms (RFC 6749). */
import { PostcodeError, type PostcodeErrorCode } from "@postcode/client"
import { Effect } from "effect"

/** A success, or the code of a failure with status 400. */
export type OAuthAnswer<A> = { readonly body: A } | { readonly error: string; readonly message: string }

/**
 * Sends a form once. Fails with a `PostcodeError` for any other answer, or without one.
 *
 * @param isWhole whether the body of a success is whole
 */
export const sendForm = <A>(
  url: string,
  fields: Readonly<Record<string, string>>,
  isWhole: (body: object) => body is A & object
): Effect.Effect<OAuthAnswer<A>, PostcodeError> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams(fields),
        // Following a redirect would send the code to another server.
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])
      })
      const body = Object((await response.json().catch(() => undefined)) as unknown) as object
      if (response.ok && isWhole(body)) return { body }
      const { error, error_description } = body as { readonly error?: unknown; readonly error_description?: unknown }
      if (response.status === 400 && typeof error === "string" && typeof error_description === "string") {
        return { error, message: error_description }
      }
      throw failureOf(response, error)
    },
    catch: (cause) =>
      cause instanceof PostcodeError
        ? cause
        : new PostcodeError({ code: "network_error", message: "the service cannot be reached", cause, meta: noMeta })
  })

const timeout_ms = 30_000

const failureOf = (response: Response, error: unknown): PostcodeError => {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  const { headers, status } = response
  const isOwn = typeof code === "string" && typeof message === "string"
  const wait_s = Number(headers.get("retry-after") ?? 1)
  return new PostcodeError({
    code: isOwn ? (code as PostcodeErrorCode) : "unexpected_answer",
    message: isOwn ? message : `the response with status ${status} did not come from the service`,
    retry_after_s: status === 429 || status === 503 ? wait_s || 1 : undefined,
    meta: { ...noMeta, status, headers, request_id: headers.get("x-request-id") ?? undefined }
  })
}

const noMeta = {
  status: 0,
  request_id: undefined,
  attempts: 1,
  level: undefined,
  credits: undefined,
  rate_limit: undefined,
  data_version: undefined,
  data_date: undefined,
  headers: new Headers()
}
