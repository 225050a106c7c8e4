// What the widget asks goes on record on its way, and once the page puts another token into an answer.
import { note } from "./log.js"
import { make } from "./nodes.js"
import { gateway, settings } from "./settings.js"

/** Asks without a record. */
export const ask = window.fetch

let nextTokenIsExpired = false

/**
 * Whether the next session gets a token whose time is over.
 *
 * @param {boolean} isExpired
 */
export const expireNextToken = (isExpired) => {
  nextTokenIsExpired = isExpired
}

/**
 * From now on requests are recorded.
 *
 * @param {() => void} onTokenRefused called when the token of a session was refused
 */
export const recordRequests = (onTokenRefused) => {
  window.fetch = async (resource, init) => {
    const url = new URL(String(resource), gateway)
    const method = init?.method ?? "GET"
    /** @type {Response} */
    let response
    try {
      response = await ask(resource, init)
    } catch (error) {
      // What the widget does not wait for any more was not left without an answer.
      if (!init?.signal?.aborted) await noteRequest(method, url, undefined)
      throw error
    }
    await noteRequest(method, url, response)
    if (response.status === 401 && url.pathname.endsWith("/bookmarks")) onTokenRefused()
    if (!nextTokenIsExpired || !response.ok || !url.pathname.endsWith("/session")) return response
    nextTokenIsExpired = false
    return Response.json({ data: { token: settings.expired_token, expires_in: 900 } })
  }
}

/** @param {string} method @param {URL} url @param {Response | undefined} response */
const noteRequest = async (method, url, response) => {
  const outcome = response ? `${response.status} ${await codeOf(response)}`.trim() : "no response"
  note(
    `${method} ${url.origin === gateway ? "" : url.origin}${url.pathname}${url.search} `,
    make("b", { class: response?.ok ? "good" : "bad" }, outcome)
  )
}

/** @param {Response} response */
const codeOf = async (response) => {
  const body = await response
    .clone()
    .json()
    .catch(() => ({}))
  return body.error?.code ?? ""
}
