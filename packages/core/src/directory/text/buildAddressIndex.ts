/** Builds the index of an edition's addresses from its rows. */
import { segmentText } from "../../postcode/SegmentValue.ts"
import type { UnitRows } from "../codes/CodeOrder.ts"
import type { Place } from "../places/Place.ts"
import type { AddressIndex } from "./AddressIndex.ts"
import type { AddressRows } from "./AddressRows.ts"
import { buildWords } from "./buildWords.ts"
import { foldName } from "./foldText.ts"
import { buildMisspellings } from "./Misspellings.ts"
import { splitStoredAddress } from "./splitStoredAddress.ts"
import { TextTable } from "./TextTable.ts"

/** A fuller bucket takes less memory, and only misspelled words are compared with all of it. */
const entriesPerBucket = 6

export const buildAddressIndex = (rows: AddressRows, units: UnitRows, places: ReadonlyArray<Place>): AddressIndex => {
  const phrases = splitPhrases(rows, places)
  const groups = groupPhrases(phrases)
  const { slotOfPhrase, slots } = groups
  const placed = placeUnits(rows, units, slotOfPhrase, slots)
  const { bytes, starts } = phrases.texts.columns()
  const words = buildWords(phrases.texts)
  const misspellings = buildMisspellings(words.bytes, words.starts, entriesPerBucket)
  const names = refsOf(words, groups.nameTexts)
  const localities = refsOf(words, groups.localityTexts)
  return {
    lgas: groups.lgas,
    lgaLocalities: groups.lgaLocalities,
    localityTexts: groups.localityTexts,
    localityContexts: groups.localityContexts,
    localityNames: groups.localityNames,
    localityUnits: pick(placed.starts, groups.localitySlots),
    nameTexts: groups.nameTexts,
    nameContexts: groups.nameContexts,
    nameUnits: pick(placed.starts, groups.nameSlots),
    units: placed.units,
    numbers: placed.numbers,
    textBytes: bytes,
    textStarts: starts,
    textWordStarts: words.textStarts,
    textWords: words.textWords,
    wordBytes: words.bytes,
    wordStarts: words.starts,
    wordRarities: words.rarities,
    nameRefStarts: names.starts,
    nameRefs: names.refs,
    localityRefStarts: localities.starts,
    localityRefs: localities.refs,
    misspellingStarts: misspellings.starts,
    misspellings: misspellings.words
  }
}

/** Texts of the parts of each phrase. */
interface Phrases {
  readonly texts: TextTable
  readonly lgas: Uint32Array
  readonly localities: Uint32Array
  readonly names: Uint32Array
  readonly contexts: Uint32Array
}

const splitPhrases = ({ phrases, texts: all }: AddressRows, places: ReadonlyArray<Place>): Phrases => {
  const nameOf = new Map(places.map(({ code, name }) => [code as string, foldName(name)]))
  const texts = new TextTable()
  texts.add("")
  const { size } = phrases
  const split: Phrases = {
    texts,
    lgas: new Uint32Array(size),
    localities: new Uint32Array(size),
    names: new Uint32Array(size),
    contexts: new Uint32Array(size)
  }
  for (let phrase = 0; phrase < size; phrase++) {
    const lga = phrases.lgaOf(phrase)
    const state = segmentText(0, Math.floor(lga / 100))
    const locality = all.textAt(phrases.localityOf(phrase))
    const { context, name } = splitStoredAddress(all.textAt(phrases.addressOf(phrase)), {
      locality: foldName(locality),
      lga: nameOf.get(`${state}-${segmentText(1, lga % 100)}`) ?? "",
      state: nameOf.get(state) ?? ""
    })
    split.lgas[phrase] = lga
    split.localities[phrase] = texts.add(locality)
    split.names[phrase] = texts.add(name)
    split.contexts[phrase] = texts.add(context)
  }
  return split
}

interface Groups {
  readonly lgas: Uint32Array
  readonly lgaLocalities: Uint32Array
  readonly localityTexts: Uint32Array
  readonly localityContexts: Uint32Array
  readonly localityNames: Uint32Array
  /** The slot of a locality's units without a name; at the end, the number of slots. */
  readonly localitySlots: Uint32Array
  readonly nameTexts: Uint32Array
  readonly nameContexts: Uint32Array
  readonly nameSlots: Uint32Array
  readonly slotOfPhrase: Uint32Array
  /** Number of groups of units. */
  readonly slots: number
}

/** Sorts phrases by LGA, locality and name. A group of units is a name, or what has no name in a locality. */
const groupPhrases = ({ contexts, lgas, localities, names }: Phrases): Groups => {
  const order = new Uint32Array(lgas.length).map((_, phrase) => phrase)
  order.sort(
    (a, b) =>
      (lgas[a] as number) - (lgas[b] as number) ||
      (localities[a] as number) - (localities[b] as number) ||
      (names[a] as number) - (names[b] as number) ||
      (contexts[a] as number) - (contexts[b] as number)
  )
  const lists = {
    lgas: [] as Array<number>,
    lgaLocalities: [] as Array<number>,
    localityTexts: [] as Array<number>,
    localityContexts: [] as Array<number>,
    localityNames: [] as Array<number>,
    localitySlots: [] as Array<number>,
    nameTexts: [] as Array<number>,
    nameContexts: [] as Array<number>,
    nameSlots: [] as Array<number>
  }
  const slotOfPhrase = new Uint32Array(lgas.length)
  let slots = 0
  let last = -1
  for (const phrase of order) {
    const isNewLga = last < 0 || lgas[phrase] !== lgas[last]
    const isNewLocality = isNewLga || localities[phrase] !== localities[last]
    if (isNewLga) {
      lists.lgas.push(lgas[phrase] as number)
      lists.lgaLocalities.push(lists.localityTexts.length)
    }
    if (isNewLocality) {
      lists.localityTexts.push(localities[phrase] as number)
      lists.localityContexts.push(0)
      lists.localityNames.push(lists.nameTexts.length)
      lists.localitySlots.push(slots++)
    }
    const isFirstContext = names[phrase] === 0 && lists.localityContexts.at(-1) === 0
    if (isFirstContext) lists.localityContexts[lists.localityContexts.length - 1] = contexts[phrase] as number
    const isNewName = isNewLocality || names[phrase] !== names[last] || contexts[phrase] !== contexts[last]
    if (names[phrase] !== 0 && isNewName) {
      lists.nameTexts.push(names[phrase] as number)
      lists.nameContexts.push(contexts[phrase] as number)
      lists.nameSlots.push(slots++)
    }
    slotOfPhrase[phrase] = slots - 1
    last = phrase
  }
  lists.lgaLocalities.push(lists.localityTexts.length)
  lists.localityNames.push(lists.nameTexts.length)
  lists.localitySlots.push(slots)
  return {
    lgas: Uint32Array.from(lists.lgas),
    lgaLocalities: Uint32Array.from(lists.lgaLocalities),
    localityTexts: Uint32Array.from(lists.localityTexts),
    localityContexts: Uint32Array.from(lists.localityContexts),
    localityNames: Uint32Array.from(lists.localityNames),
    localitySlots: Uint32Array.from(lists.localitySlots),
    nameTexts: Uint32Array.from(lists.nameTexts),
    nameContexts: Uint32Array.from(lists.nameContexts),
    nameSlots: Uint32Array.from(lists.nameSlots),
    slotOfPhrase,
    slots
  }
}

interface PlacedUnits {
  /** The first unit of each slot, and the end of the last. */
  readonly starts: Uint32Array
  readonly units: Uint32Array
  readonly numbers: Uint32Array
}

const placeUnits = (
  { rowNumbers, rowPhrases }: AddressRows,
  { count, rowOf }: UnitRows,
  slotOfPhrase: Uint32Array,
  slots: number
): PlacedUnits => {
  const starts = new Uint32Array(slots + 1)
  const slotOf = (id: number) => slotOfPhrase[rowPhrases.at(rowOf(id))] as number
  let hasNumbers = false
  for (let id = 0; id < count; id++) {
    const slot = slotOf(id) + 1
    starts[slot] = (starts[slot] as number) + 1
    if (rowNumbers.at(rowOf(id)) !== 0) hasNumbers = true
  }
  for (let slot = 1; slot <= slots; slot++) starts[slot] = (starts[slot] as number) + (starts[slot - 1] as number)
  const next = starts.slice()
  const units = new Uint32Array(count)
  const numbers = new Uint32Array(hasNumbers ? count : 0)
  for (let id = 0; id < count; id++) {
    const slot = slotOf(id)
    const to = next[slot] as number
    next[slot] = to + 1
    units[to] = id
    if (hasNumbers) numbers[to] = rowNumbers.at(rowOf(id))
  }
  if (hasNumbers) {
    for (let slot = 0; slot < slots; slot++) {
      sortByNumber(units, numbers, starts[slot] as number, starts[slot + 1] as number)
    }
  }
  return { starts, units, numbers }
}

/** Sorts the units of one slot; stable. */
const sortByNumber = (units: Uint32Array, numbers: Uint32Array, start: number, end: number): void => {
  let isSorted = true
  for (let at = start + 1; at < end && isSorted; at++) isSorted = (numbers[at] as number) >= (numbers[at - 1] as number)
  if (isSorted) return
  const order = Array.from({ length: end - start }, (_, at) => start + at)
  order.sort((a, b) => (numbers[a] as number) - (numbers[b] as number))
  const sortedUnits = order.map((at) => units[at] as number)
  const sortedNumbers = order.map((at) => numbers[at] as number)
  units.set(sortedUnits, start)
  numbers.set(sortedNumbers, start)
}

const pick = (values: Uint32Array, at: Uint32Array): Uint32Array => at.map((index) => values[index] as number)

interface Words {
  readonly starts: Uint32Array
  readonly textStarts: Uint32Array
  readonly textWords: Uint32Array
}

/** By word: the indexes of the texts that contain it, ascending. */
const refsOf = (
  { starts: wordStarts, textStarts, textWords }: Words,
  texts: Uint32Array
): { readonly starts: Uint32Array; readonly refs: Uint32Array } => {
  const starts = new Uint32Array(wordStarts.length)
  const forEachWord = (visit: (word: number, index: number) => void): void => {
    for (let index = 0; index < texts.length; index++) {
      const first = textStarts[texts[index] as number] as number
      const end = textStarts[(texts[index] as number) + 1] as number
      for (let at = first; at < end; at++) {
        const word = textWords[at] as number
        if (textWords.indexOf(word, first) === at) visit(word, index)
      }
    }
  }
  forEachWord((word) => {
    starts[word + 1] = (starts[word + 1] as number) + 1
  })
  for (let word = 1; word < starts.length; word++)
    starts[word] = (starts[word] as number) + (starts[word - 1] as number)
  const next = starts.slice()
  const refs = new Uint32Array(starts[starts.length - 1] as number)
  forEachWord((word, index) => {
    const to = next[word] as number
    refs[to] = index
    next[word] = to + 1
  })
  return { starts, refs }
}
