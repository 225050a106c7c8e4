/** One request to the service, typed by its contract. */
import type { DataOf, InputOf, Route } from "./Contract.ts"
import { Problem } from "./Problem.ts"

/**
 * Calls the service and returns `data`.
 *
 * @throws Problem if the call fails
 * @throws DOMException named AbortError if the signal aborted it
 */
export const send = async <R extends Route>(
  route: R,
  input: InputOf<R>,
  { key = "", organization, signal = null }: SendOptions = {}
): Promise<DataOf<R>> => {
  const [method = "", path = ""] = route.split(" ")
  const { body, ...parts }: Parts = input
  const response = await answerTo(addressOf(path, parts), {
    method,
    signal,
    cache: "no-store",
    redirect: "error",
    ...(key !== "" && { credentials: "omit" }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== "" && { "x-api-key": key }),
      ...(organization !== undefined && { "x-organization": organization })
    }
  })
  const answer = await read(response, signal)
  if (response.ok && answer?.data !== undefined) return answer.data as DataOf<R>
  throw problemIn(response, answer?.error)
}

/** What a call sends besides its input; all of it may be absent. */
export interface SendOptions {
  readonly signal?: AbortSignal | null
  /** An API key, which is sent without the session's cookie; empty to send none. */
  readonly key?: string
  /** The organization in which an account of several acts. */
  readonly organization?: string | undefined
}

/** The input of any call. */
interface Parts {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** Replaces each `:name` of a path; undefined query parameters are omitted. */
export const addressOf = (path: string, { params, query }: Omit<Parts, "body">): string => {
  const given = new Map(Object.entries(params ?? {}))
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.append(name, String(value))
  return search.size === 0 ? filled : `${filled}?${search}`
}

const answerTo = async (address: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(address, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Problem({ status: 0, code: "offline", message: "the service cannot be reached" })
  }
}

interface Envelope {
  readonly data?: unknown
  readonly error?: { readonly code: string; readonly message: string }
}

/** Undefined if the response is not the service's: a proxy may respond with its own page. */
const read = async (response: Response, signal: AbortSignal | null): Promise<Envelope | undefined> => {
  try {
    return (await response.json()) as Envelope
  } catch (error) {
    if (signal?.aborted) throw error
    return undefined
  }
}

const problemIn = ({ headers, status }: Response, error: Envelope["error"]): Problem =>
  new Problem({
    status,
    code: error?.code ?? "unexpected_answer",
    message: error?.message ?? `the response (status ${status}) did not come from this service`,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter_s: secondsIn(headers.get("retry-after")),
    guide: /^<(\/docs\/[\w/-]+)>; rel="help"$/.exec(headers.get("link") ?? "")?.[1]
  })

const secondsIn = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined
