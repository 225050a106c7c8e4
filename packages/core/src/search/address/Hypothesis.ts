/** What a text may mean, and how well that explains it. */
import type { Place } from "../../directory/places/Place.ts"

/**
 * `name`: a street, a school, …; `locality`, `lga` and `state`: the place as a whole; `nothing`: something else. An
 * unlisted one is a place that the directory does not have, in a locality, LGA or state.
 */
export type HypothesisKind = "name" | "locality" | "lga" | "state" | "nothing"

/** `ordinary`; or it is the landmark after a word such as `behind`; or what stands beside that. */
export type Reading = "ordinary" | "landmark" | "beside"

/**
 * Why a person has to confirm a unit. `additions`: the text has words beside the house that fit no form. `number`: the
 * number is not quite that of the house, `12A` for 12. `spelling`: only the locality explains a word. `street`: the text lacks a word such as `street`. `place`: the text
 * names another place, too. `nowhere`: it names none.
 */
export type Doubt = "none" | "additions" | "number" | "spelling" | "street" | "place" | "nowhere"

export interface Hypothesis {
  readonly kind: HypothesisKind
  readonly reading: Reading
  /** The directory does not have it: an unlisted place, or another of the kind. Its mass is not the unit's. */
  readonly isUnlisted: boolean
  /** Negative log-probability that this was meant, and written so. */
  readonly cost: number
  /** Index in `AddressIndex`, or −1. */
  readonly name: number
  readonly locality: number
  /** State and LGA in one number, or −1. */
  readonly lga: number
  /** Value of the state segment, or −1. */
  readonly state: number
  /** The words of the text that it explains. */
  readonly covered: number
  /** Units in `AddressIndex.units`, from `start` (inclusive) to `end` (exclusive). */
  readonly start: number
  readonly end: number
  /** Units over which its mass spreads: those, or all of the locality if it is a place like these that is not listed. */
  readonly spreadStart: number
  readonly spreadEnd: number
  /** The depth at which its mass counts, at most: 4 unit, 3 area, 2 district, 1 LGA, 0 state, −1 nowhere. */
  readonly depth: number
  /** Whether a person has to confirm the unit although its house matches: see `Doubt`. */
  readonly doubt: Doubt
  /** A number that the text names and the street does not have. */
  readonly missingNumber: boolean
  /** The LGA or state that was named, if the hypothesis is one. */
  readonly place: Place | undefined
}
