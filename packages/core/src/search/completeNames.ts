/**
 * Completes the names of states and local government areas, wherever they stand in a text.
 *
 * The readings of a text compete: each state, and each LGA with or without its state. What a reading costs is how badly its
 * words fit the names, and the words of other places that it leaves unexplained. The cheapest decides whether the text
 * names a state or an LGA, and what costs little more is suggested, too.
 */
import type { Directory } from "../directory/Directory.ts"
import { matchPlaces, maxPlaceWords, type PlaceMatch, type PlaceMatches } from "../directory/places/matchPlaces.ts"
import type { NamedPlace } from "../directory/places/NamedPlace.ts"
import { modifiers } from "../directory/places/PlaceAliases.ts"
import { foldedWords } from "../directory/text/foldText.ts"

/** A place that a text may name. */
export interface NamedIn {
  readonly place: NamedPlace
  /** As in `PlaceMatch`, with what the text leaves unexplained. */
  readonly cost: number
}

interface Reading extends NamedIn {
  /** The words that it explains. */
  readonly covered: number
}

/** Longer texts are not read: the work is bounded. */
const maxNamedLength = 200

/**
 * The places that a text names, all states or all LGAs, the likeliest first; equally likely ones in code order. The last word may
 * be the start of a name. `Ikeja, Oyo` contradicts itself: Oyo, and the state that has an Ikeja. Empty if no name fits, or if the text is longer than `maxNamedLength`.
 */
export const namedIn = (directory: Directory, text: string): ReadonlyArray<NamedIn> => {
  if (text.length > maxNamedLength) return []
  // An address ends with the names of LGA and state.
  const words = foldedWords(text).slice(-maxPlaceWords)
  const found = matchPlaces(directory.names.placeNames, words, true)
  const readings = new Readings(words, found).all()
  let best: Reading | undefined
  for (const reading of readings) if (best === undefined || isBefore(reading, best)) best = reading
  if (best === undefined) return []
  const { cost, place } = best
  const isState = place.lga < 0
  const cheapest = new Map<NamedPlace, NamedIn>()
  for (const reading of readings) {
    if (reading.place.lga < 0 !== isState || reading.cost > cost + margin) continue
    const known = cheapest.get(reading.place)
    if (known === undefined || reading.cost < known.cost) cheapest.set(reading.place, reading)
  }
  if (isState) {
    for (const { cost: own, place, words } of found.matches) {
      if (place.lga < 0 || own > 0 || (words & best.covered) !== 0) continue
      const state = directory.names.states[place.state]
      if (state !== undefined && !cheapest.has(state)) cheapest.set(state, { place: state, cost: cost + margin })
    }
  }
  return [...cheapest.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1))
}

/** Suggested are readings that cost so much more than the best: other endings of what is typed, not typing errors. */
const margin = 10
/** A reading that costs more is no evidence; among words of something else, even two typing errors are none. */
const maxCost = 50
const maxCostAmongOthers = 24
/** Slightly less likely than the state of the same name. */
const lgaCost = 4
/** A state that is named again: less likely than an LGA of the same name in it. */
const repeated = 8
/** What it costs to leave a name unexplained that stands in the text without an error. */
const unexplained = { state: 60, lga: 45, modifier: 14, firstCode: 30 } as const

const isBefore = (a: NamedIn, b: NamedIn): boolean =>
  a.cost < b.cost || (a.cost === b.cost && a.place.place.code < b.place.place.code)

class Readings {
  private readonly matches: ReadonlyArray<PlaceMatch>
  private readonly maxCost: number
  /** What each word costs that a reading leaves unexplained. */
  private readonly penalties: ReadonlyArray<number>
  /** The matches of each state. */
  private readonly states = new Map<number, Array<PlaceMatch>>()

  constructor(words: ReadonlyArray<string>, { matches, unknown }: PlaceMatches) {
    this.matches = matches
    this.maxCost = unknown === 0 ? maxCost : maxCostAmongOthers
    this.penalties = penaltiesOf(words, matches)
    for (const match of matches) {
      if (match.place.lga >= 0) continue
      const known = this.states.get(match.place.state)
      if (known === undefined) this.states.set(match.place.state, [match])
      else known.push(match)
    }
    for (const ofState of this.states.values()) ofState.sort((a, b) => this.gainOf(b) - this.gainOf(a))
  }

  all(): ReadonlyArray<Reading> {
    const readings: Array<Reading> = []
    for (const match of this.matches) {
      if (match.isCode) continue
      const reading = this.read(match)
      if (reading !== undefined) readings.push(reading)
    }
    return readings
  }

  private read({ cost: own, place, words }: PlaceMatch): Reading | undefined {
    let covered = words
    let cost = own + (place.lga < 0 ? 0 : lgaCost)
    let isConfirmed = place.lga < 0
    for (const state of this.states.get(place.state) ?? []) {
      if ((state.words & covered) !== 0 || this.gainOf(state) <= 0) continue
      covered |= state.words
      cost += state.cost + (isConfirmed ? repeated : 0)
      isConfirmed = true
    }
    if (cost > (isConfirmed && place.lga >= 0 ? maxCost : this.maxCost)) return undefined
    return { place, cost: cost + this.penaltyOf(~covered), covered }
  }

  private gainOf({ cost, words }: PlaceMatch): number {
    return this.penaltyOf(words) - cost
  }

  private penaltyOf(words: number): number {
    let sum = 0
    for (const [at, penalty] of this.penalties.entries()) if ((words & (1 << at)) !== 0) sum += penalty
    return sum
  }
}

const penaltiesOf = (words: ReadonlyArray<string>, matches: ReadonlyArray<PlaceMatch>): ReadonlyArray<number> => {
  const penalties: Array<number> = words.map((word) => (modifiers.has(word) ? unexplained.modifier : 0))
  for (const match of matches) {
    const whole = match.place.lga < 0 ? unexplained.state : unexplained.lga
    const penalty = match.isCode ? (match.words === 1 ? unexplained.firstCode : 0) : whole - match.cost
    for (let at = 0; at < words.length; at++) {
      if ((match.words & (1 << at)) !== 0 && !modifiers.has(words[at] as string))
        penalties[at] = Math.max(penalties[at] as number, penalty)
    }
  }
  return penalties
}
