/** The messages between the hosted page and its host. `docs/embed.md` documents them. */
import type { PostcodeSelection } from "@postcode/core/Selection"

/** A message of the page. */
export type EmbedMessage =
  /** It is loaded. A page that frames it responds with `start`. */
  | { readonly version: 1; readonly type: "ready" }
  /** A postcode was selected; once per selection. */
  | { readonly version: 1; readonly type: "select"; readonly selection: PostcodeSelection }
  /** A request failed, or an option is invalid. */
  | {
      readonly version: 1
      readonly type: "problem"
      /** The HTTP status; 0 if there was no response. */
      readonly status: number
      /** A code of the service, `offline`, `unexpected_answer`, or `invalid_option`. */
      readonly code: string
      readonly message: string
    }

/** The framing page's confirmation that it is the configured parent. */
export interface EmbedCommand {
  readonly version: 1
  readonly type: "start"
}

/** The page is loaded and waits for `start`. */
export const ready: EmbedMessage = { version: 1, type: "ready" }

/** Whether a posted value is `start`. */
export const isStart = (data: unknown): boolean => {
  const { type, version } = (data ?? {}) as Partial<EmbedCommand>
  return version === 1 && type === "start"
}
