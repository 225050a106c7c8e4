/** The result of an address search. */

import type { Ignored } from "../surroundings/setAside.ts"

/** The depth of a code in a result. */
export type AddressPrecision = "unit" | "area" | "district" | "lga" | "state"

/** One of the codes that a text may mean. */
export interface AddressCandidate {
  /** Canonical, of the depth that `precision` says. */
  readonly code: string
  readonly precision: AddressPrecision
  /** `Aba North PHC, Eziama, Aba North, Abia`. */
  readonly label: string
  /** From 0 to 1. */
  readonly probability: number
}

/** The parts of a text that were recognized. */
export interface Understood {
  readonly name: string | null
  readonly locality: string | null
  readonly lga: string | null
  readonly state: string | null
  /** `behind`, if what follows is a landmark. */
  readonly relation: string | null
  /** The part of a building that was set aside: `Flat 3, Block B`. */
  readonly subpremise: string | null
  /** What else was set aside, with its kind: it is no evidence for or against a house. */
  readonly ignored: ReadonlyArray<Ignored>
  /** The words that are no part of what was found, or that were not searched for: see `limited_to`. */
  readonly unmatched: ReadonlyArray<string>
}

/** The answer to a text. */
export interface AddressAnswer {
  /** The deepest code that holds at least 95 % of the probability, in canonical format; null if none does. */
  readonly code: string | null
  readonly precision: AddressPrecision | null
  readonly confidence: "high" | "medium" | "low"
  /** What a form does: take the code, show it for confirmation, or ask for what the message says. */
  readonly action: "accept" | "confirm" | "ask"
  readonly label: string | null
  readonly understood: Understood
  /** The likeliest deepest codes, whatever the depth of the answer. */
  readonly candidates: ReadonlyArray<AddressCandidate>
  readonly message: string
  /** Only states and local government areas were searched, because the caller or the directory has no more. */
  readonly limited_to?: "lga"
}
