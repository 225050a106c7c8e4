/** The dialogue of the picker, as the ways to a postcode see it. */
import type { Messages } from "./languages/Messages.ts"
import type { SavedForm } from "./Saved.ts"
import type { Latest } from "./session/Latest.ts"
import type { Problem } from "./session/Request.ts"
import type { Choice, Names } from "./session/Search.ts"
import type { Account } from "./session/Session.ts"
import type { Code } from "./TypedCode.ts"
import type { View } from "./View.ts"

/** The page's settings of the picker. */
export interface FlowSettings extends Account {
  readonly form: HTMLFormElement | null
  readonly until: string
  /** Whether saved postcodes are offered. */
  readonly saved: boolean
  readonly readOnly: boolean
  /** What the form gets of the picker. */
  readonly status: string
  readonly messages: Messages
}

/** Callbacks. */
export interface Listener {
  /** The picker is used for the first time. */
  readonly onTouch: () => Promise<void>
  /** The text has changed. */
  readonly onText: (text: string, isTyped: boolean, given?: Choice) => void
  readonly onPick: (choice: Choice) => void
  /** The text is final, and is not a postcode. */
  readonly onNone: () => void
  readonly onProblem: (problem: Problem) => void
}

/** How a failed request is shown. */
export type Otherwise = "unavailable" | "busy"

/** A message under the field. */
export type Said = readonly [
  message: keyof Messages,
  values?: Readonly<Record<string, string | number>>,
  isError?: boolean
]

export interface Dialogue {
  readonly view: View
  readonly settings: FlowSettings
  readonly listener: Listener
  readonly asking: Latest
  readonly gateway: string
  readonly canIdentify: boolean
  /** The number of segments that a selection needs. */
  readonly depth: number
  /** Whether the text was typed since the last selection. */
  isTyped: boolean
  /** Whether less than a postcode was taken. */
  isTaken: boolean
  /** The open form for an identifier or an address, or the map. */
  form: SavedForm | undefined
  /** Of the selection. */
  place: string
  /** The result, unless a newer request replaced it or it failed; failures are shown. */
  readonly ask: <A>(
    question: (signal: AbortSignal) => Promise<A>,
    otherwise?: Otherwise,
    signal?: AbortSignal
  ) => Promise<A | undefined>
  /**
   * Accepts a text that is a postcode, or clears the selection. Enter also confirms what was selected before.
   *
   * @returns whether there was something to confirm
   */
  readonly commit: (isEnter?: boolean) => boolean
  readonly deliver: (choice: Choice) => void
  /** Shows the selection, or the ways to one. */
  readonly finish: (isDone: boolean) => void
  /** The names of state and LGA, if they were received. */
  readonly namesOf: (code: Code) => Names | undefined
  /** The page hears once why nothing is found, until something is. */
  readonly report: (error: unknown) => void
  readonly say: (...said: Said) => void
  readonly setText: (text: string) => void
  readonly setUnavailable: (isUnavailable: boolean) => void
  /** Aborts all requests and removes a typed identifier. */
  readonly stop: () => void
  readonly takeText: (isTyped: boolean) => void
}
