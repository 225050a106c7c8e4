/** The page around the frame: it is told by its exact origin, and believed once it answers from there. */
import { type EmbedMessage, isStart } from "./Message.ts"

/** Only a page of this origin hears it. */
export const tellParent = (origin: string, message: EmbedMessage): void => window.parent.postMessage(message, origin)

/** Settles once the page around the frame has said `start`, from that origin. What others say is ignored. */
export const startedBy = (parent: string): Promise<void> =>
  new Promise((resolve) => {
    addEventListener("message", ({ data, origin, source }) => {
      if (source === window.parent && origin === parent && isStart(data)) resolve()
    })
  })

/**
 * From now on the page asks in the name of another origin what it asks of its own: a key is bound to the pages that
 * frame this one, not to this one, which anybody can frame.
 */
export const askInTheNameOf = (parent: string): void => {
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    if (new URL(String(input), location.href).origin === location.origin) headers.set("x-embedding-origin", parent)
    return fetch(input, { ...init, headers })
  }
}
