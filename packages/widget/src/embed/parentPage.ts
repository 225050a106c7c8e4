/** The framing page: addressed by its exact origin, and trusted once it responds from there. */
import { type EmbedMessage, isStart } from "./Message.ts"

/** Only a page of this origin receives it. */
export const postToParent = (origin: string, message: EmbedMessage): void => window.parent.postMessage(message, origin)

/** Resolves when the framing page has sent `start` from that origin. Other messages are ignored. */
export const startedBy = (parent: string): Promise<void> =>
  new Promise((resolve) => {
    addEventListener("message", ({ data, origin, source }) => {
      if (source === window.parent && origin === parent && isStart(data)) resolve()
    })
  })

/**
 * Sends later requests with the framing page's origin: a key is bound to the pages that frame this one, since anybody
 * can frame it.
 */
export const sendWithOrigin = (parent: string): void => {
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    if (new URL(String(input), location.href).origin === location.origin) headers.set("x-embedding-origin", parent)
    return fetch(input, { ...init, headers })
  }
}
