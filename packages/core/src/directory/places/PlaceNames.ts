/**
 * An index of the names of states and local government areas by their words. A place has a name for each way of writing
 * it: as the directory has it, in one word, each part between slashes, and its aliases; a state also its code.
 */
import { foldedWords, foldName } from "../text/foldText.ts"
import { NearWords } from "../text/NearWords.ts"
import { cities } from "./Cities.ts"
import type { NamedPlace } from "./NamedPlace.ts"
import { modifiers, placeAliases } from "./PlaceAliases.ts"

/** A way of writing the name of a place. */
export interface PlaceName {
  readonly place: NamedPlace
  /** Numbers of its words in `PlaceNames`, in order. */
  readonly words: ReadonlyArray<number>
  /** Whether each word is a modifier, such as `north`, which names nothing alone. */
  readonly isModifier: ReadonlyArray<boolean>
  /** See `PlaceMatch`: 0, or more for a part of the name. */
  readonly cost: number
  /** A state's code, `la`. */
  readonly isCode: boolean
  /** A town or a former state that the place is a part of: `Ibadan` for Ibadan North. */
  readonly isTown: boolean
}

/** The names that contain a word that is not a modifier in them. */
export interface WordUse {
  readonly name: number
  /** The place of the word in the name. */
  readonly slot: number
}

export class PlaceNames {
  readonly names: ReadonlyArray<PlaceName>
  /** The distinct words of all names, in ascending order. */
  readonly words: ReadonlyArray<string>
  /** By the number of the word. */
  readonly uses: ReadonlyArray<ReadonlyArray<WordUse>>
  readonly near: NearWords
  private readonly numbers: ReadonlyMap<string, number>

  /** @param places each state before its LGAs */
  constructor(places: ReadonlyArray<NamedPlace>) {
    const written = writtenNames(places)
    this.words = [...new Set(written.flatMap(({ words }) => words))].sort()
    this.numbers = new Map(this.words.map((word, number) => [word, number]))
    const frequent = frequentWords(written)
    this.names = written.map(({ words, ...name }) => {
      // A single letter, as in `C/River`, finds no name.
      const isModifier = words.map((word) => modifiers.has(word) || frequent.has(word) || word.length === 1)
      return {
        ...name,
        words: words.map((word) => this.numberOf(word)),
        // A name needs a word by which it is found.
        isModifier: isModifier.includes(false) ? isModifier : words.map((_, slot) => slot > 0)
      }
    })
    this.uses = usesOf(this.names, this.words.length)
    this.near = new NearWords(this.words)
  }

  /** The number of a word, or −1. */
  numberOf(word: string): number {
    return this.numbers.get(word) ?? -1
  }

  /** The numbers of the words that start with some letters, from the first to before the second. */
  startingWith(start: string): readonly [number, number] {
    return [lowerBound(this.words, start), lowerBound(this.words, `${start}\uffff`)]
  }
}

/** Parts of a name between slashes are names that people use. Less likely than the name of another place. */
const partCost = 3
/** A word in more names than these tells nothing and would only cost time, whatever its meaning. */
const maxUses = 24

interface WrittenName extends Omit<PlaceName, "words" | "isModifier"> {
  readonly words: ReadonlyArray<string>
}

const writtenNames = (places: ReadonlyArray<NamedPlace>): ReadonlyArray<WrittenName> => {
  const names = wholeNames(places)
  const towns = new Map<string, WrittenName>()
  for (const name of [...cityNames(places), ...townNames(names)]) {
    const key = `${name.place.place.code} ${name.words.join(" ")}`
    if (!towns.has(key)) towns.set(key, name)
  }
  const whole = new Set(names.map(({ place, words }) => `${place.place.code} ${words.join(" ")}`))
  return [...names, ...[...towns].flatMap(([key, name]) => (whole.has(key) ? [] : [name]))]
}

/** The LGAs that a city consists of, by the city's name: see `cities`. */
const cityNames = (places: ReadonlyArray<NamedPlace>): ReadonlyArray<WrittenName> => {
  const byName = new Map<string, NamedPlace>()
  let state: NamedPlace | undefined
  for (const place of places) {
    if (place.lga < 0) state = place
    else if (state?.state === place.state) {
      for (const ofState of [state.folded, ...aliasesIn(state).state.map(foldName)]) {
        for (const name of [place.folded, ...(aliasesIn(state).lgas.get(place.folded) ?? []).map(foldName)]) {
          byName.set(`${ofState}: ${name}`, place)
        }
      }
    }
  }
  return cities.flatMap(({ lgas, names, state, suburbs }) => {
    const named = (lga: string, cost: number): ReadonlyArray<WrittenName> => {
      const [ofState, name] = lga.includes(": ") ? (lga.split(": ") as [string, string]) : [state, lga]
      const place = byName.get(`${foldName(ofState)}: ${foldName(name)}`)
      if (place === undefined) return []
      return names.map((written) => ({ place, words: foldedWords(written), cost, isCode: false, isTown: true }))
    }
    return [...lgas.flatMap((lga) => named(lga, townCost)), ...suburbs.flatMap((lga) => named(lga, suburbCost))]
  })
}

/**
 * The towns that several LGAs are parts of: `Ibadan` for Ibadan North, Ibadan South East, … A state of that name is meant
 * by its own name, and an LGA of that name is meant rather than the parts of a town elsewhere.
 */
const townNames = (names: ReadonlyArray<WrittenName>): ReadonlyArray<WrittenName> => {
  const whole = new Map<string, NamedPlace>()
  for (const { place, words } of names) {
    const known = whole.get(words.join(" "))
    if (known === undefined || known.lga >= 0) whole.set(words.join(" "), place)
  }
  const towns = new Map<string, WrittenName>()
  for (const { cost, isCode, place, words } of names) {
    let end = words.length
    while (end > 0 && townParts.has(words[end - 1] as string)) end--
    if (isCode || place.lga < 0 || end === 0 || end === words.length) continue
    const town = words.slice(0, end)
    const key = `${place.place.code} ${town.join(" ")}`
    const namesake = whole.get(town.join(" "))
    if (towns.has(key) || namesake === place || (namesake !== undefined && namesake.lga < 0)) continue
    const isOfOther = namesake !== undefined && namesake.state !== place.state
    towns.set(key, {
      place,
      words: town,
      cost: cost + (isOfOther ? namesakeTownCost : townCost),
      isCode: false,
      isTown: true
    })
  }
  return [...towns.values()]
}

/** The parts of towns that are LGAs. */
const townParts: ReadonlySet<string> = new Set(
  "north south east west central northeast northwest southeast southwest municipal municipality i ii iii 1 2 3".split(
    " "
  )
)
/** In tenths of a natural logarithm, as all costs here. */
const townCost = 1
const namesakeTownCost = 40
const suburbCost = 40
/** A state that was split: `Bendel` is Edo or Delta. */
const formerCost = 7

const wholeNames = (places: ReadonlyArray<NamedPlace>): Array<WrittenName> => {
  const names: Array<WrittenName> = []
  let state: NamedPlace | undefined
  for (const place of places) {
    if (place.lga < 0) {
      state = place
      addNames(names, place, aliasesIn(place).state)
      for (const former of aliasesIn(place).former) {
        names.push({ place, words: foldedWords(former), cost: formerCost, isCode: false, isTown: true })
      }
      names.push({ place, words: [place.place.code.toLowerCase()], cost: 0, isCode: true, isTown: false })
    } else {
      const aliases = place.state === state?.state ? aliasesIn(state) : noAliases
      addNames(names, place, aliases.lgas.get(place.folded) ?? [])
    }
  }
  return names
}

const addNames = (names: Array<WrittenName>, place: NamedPlace, aliases: ReadonlyArray<string>): void => {
  const { name } = place.place
  const ways = [{ name, cost: 0 }, ...aliases.map((alias) => ({ name: alias, cost: 0 }))]
  if (name.includes("/")) ways.push(...name.split("/").map((part) => ({ name: part, cost: partCost })))
  const known = new Set<string>()
  for (const way of ways) {
    const words = foldedWords(way.name)
    const add = (written: ReadonlyArray<string>, cost: number): void => {
      const key = written.join(" ")
      if (key !== "" && !known.has(key)) names.push({ place, words: written, cost, isCode: false, isTown: false })
      known.add(key)
    }
    add(words, way.cost)
    if (words.length > 1) add([words.join("")], way.cost)
  }
}

/** The aliases of a state, and of its LGAs by any of their folded names. */
interface Aliases {
  readonly state: ReadonlyArray<string>
  readonly former: ReadonlyArray<string>
  readonly lgas: ReadonlyMap<string, ReadonlyArray<string>>
}

const noAliases: Aliases = { state: [], former: [], lgas: new Map() }

const aliasesIn = (state: NamedPlace): Aliases => stateAliases().get(state.folded) ?? noAliases

/** By any folded name of the state. */
const stateAliases = (): ReadonlyMap<string, Aliases> => {
  foldedAliases ??= new Map(
    placeAliases.flatMap(({ former = [], lgas, state }) => {
      const ofLgas = new Map<string, ReadonlyArray<string>>()
      for (const names of lgas) {
        for (const name of names) ofLgas.set(foldName(name), [...(ofLgas.get(foldName(name)) ?? []), ...names])
      }
      return state.map((name) => [foldName(name), { state, former, lgas: ofLgas }] as const)
    })
  )
  return foldedAliases
}

let foldedAliases: ReadonlyMap<string, Aliases> | undefined

/** Words of so many names that they tell nothing. */
const frequentWords = (names: ReadonlyArray<WrittenName>): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const { words } of names) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count > maxUses).map(([word]) => word))
}

const usesOf = (names: ReadonlyArray<PlaceName>, words: number): ReadonlyArray<ReadonlyArray<WordUse>> => {
  const uses: Array<Array<WordUse>> = Array.from({ length: words }, () => [])
  for (const [name, { isModifier, words }] of names.entries()) {
    for (const [slot, word] of words.entries()) if (!isModifier[slot]) uses[word]?.push({ name, slot })
  }
  return uses
}

/** The first position at which a word is not less than another. */
const lowerBound = (words: ReadonlyArray<string>, word: string): number => {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((words[middle] as string) < word) low = middle + 1
    else high = middle
  }
  return low
}
