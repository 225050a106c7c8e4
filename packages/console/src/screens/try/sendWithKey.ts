/** Sends a request with a key, and returns the whole response. */
import type { ShownRequest } from "../../client/curl.ts"
import { Problem } from "../../client/Problem.ts"

/** A raw response. */
export interface Answer {
  readonly status: number
  /** Time to the last byte. */
  readonly time_ms: number
  /** Names and values of the relevant headers. */
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly text: string
}

/**
 * @param key empty to send none
 * @throws Problem if there is no response
 */
export const sendWithKey = async (
  key: string,
  { body, headers, method, url }: ShownRequest,
  signal: AbortSignal
): Promise<Answer> => {
  const start = performance.now()
  try {
    const response = await fetch(url, {
      method,
      signal,
      headers: { ...headers, ...(key !== "" && { "X-API-Key": key }) },
      ...(body !== undefined && { body }),
      credentials: "omit",
      cache: "no-store",
      redirect: "error"
    })
    const text = await response.text()
    const shown = shownHeaders.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    return { status: response.status, time_ms: performance.now() - start, headers: shown, text }
  } catch {
    throw new Problem({ status: 0, code: "offline", message: "the service cannot be reached" })
  }
}

const shownHeaders = [
  "X-Lookup-Level",
  "X-Credits-Charged",
  "X-Credits-Remaining",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "X-Data-Version",
  "X-Request-Id"
]
