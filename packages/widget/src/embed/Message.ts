/** What the hosted page and whoever shows it say to each other. `docs/embed.md` describes it. */
import type { PostcodeSelection } from "@postcode/core/Selection"

/** What the page says. */
export type EmbedMessage =
  /** It is there. A page that frames it answers `start`. */
  | { readonly version: 1; readonly type: "ready" }
  /** A postcode was picked; once for each. */
  | { readonly version: 1; readonly type: "select"; readonly selection: PostcodeSelection }
  /** A request failed, or an option is wrong. */
  | {
      readonly version: 1
      readonly type: "problem"
      /** The HTTP status; 0 if there was no answer. */
      readonly status: number
      /** A code of the service, `offline`, `unexpected_answer`, or `invalid_option`. */
      readonly code: string
      readonly message: string
    }

/** What a page that frames it says: that it is the one, and wants it. */
export interface EmbedCommand {
  readonly version: 1
  readonly type: "start"
}

/** The page is there, and waits for its start. */
export const ready: EmbedMessage = { version: 1, type: "ready" }

/** Whether something that was posted is the start. */
export const isStart = (data: unknown): boolean => {
  const { type, version } = (data ?? {}) as Partial<EmbedCommand>
  return version === 1 && type === "start"
}
