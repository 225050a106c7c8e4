import type { Redacted } from "effect"

/** The pepper of identifier hashes, and which one it is: rotation needs to tell old hashes from new ones. */
export interface Pepper {
  readonly version: number
  readonly secret: Redacted.Redacted<string>
}
