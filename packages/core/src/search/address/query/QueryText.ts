/**
 * A text as it is searched: its words, and what the words are for. A set of words is a bit set, so that "which words does
 * this explain" is one number.
 */
import { foreignLgaWords, stateWords } from "../../../directory/places/PlaceAliases.ts"
import { abbreviations } from "../../../directory/text/Abbreviations.ts"
import { fold } from "../../../directory/text/foldText.ts"
import { isNumeral, readWords } from "../../../directory/text/Words.ts"
import { type Relation, relationIn } from "./relationIn.ts"
import { isStreetWord, meantStreetWord } from "./StreetWords.ts"

export interface Query extends Relation {
  /** In the form of the index; at most `maxWords`. */
  readonly words: ReadonlyArray<string>
  /** The word of each in `raw`. */
  readonly origins: ReadonlyArray<number>
  readonly raw: ReadonlyArray<string>
  /** By word: the number of the part between commas that it stands in. */
  readonly segments: ReadonlyArray<number>
  /** Whether words were left out because there were too many. */
  readonly isCut: boolean
  /** All words. */
  readonly all: number
  readonly numerals: number
  /** Words that say what something is, not which: `state`, `plot`, `the`. */
  readonly fillers: number
  /** `road`, `street`. */
  readonly streets: number
  /** The number of a flat that was set aside, or 0. */
  readonly flat: number
  /** A second number of a house, as in `29/31` and `12-14`: the words of both; 0 if there is none. */
  readonly ranges: number
  /** The words before hyphens: the first of `Lagos-Badagry`. */
  readonly hyphens: number
  /** The words that streets are named by, directly before a word such as `road`. */
  readonly streetNames: number
  /** Short words in capitals, if the text has others: `UBA` is a bank, and `Uba` a town. */
  readonly acronyms: number
  /** The words after the last comma but for fillers; 0 if the text has no comma. */
  readonly last: number
}

/** A bit set has 31 bits that are easy to use. */
const maxWords = 30

/**
 * @param flat the number of a flat that was set aside, or 0
 * @param isKnown whether a word names anything: if there are too many, others are left out first
 */
export const readQuery = (text: string, flat = 0, isKnown: (word: string) => boolean = () => true): Query => {
  const read = readSegments(inFull(text))
  const kept = read.words.length <= maxWords ? read : shortened(read, isKnown)
  const { origins, raw, segments } = kept
  const words = withStreetWords(kept, isKnown)
  const all = words.length === 0 ? 0 : 2 ** words.length - 1
  const hyphens = pairsIn(text, hyphen, words)
  let numerals = 0
  let fillerBits = 0
  let streets = 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (isStreetWord(word)) streets |= 1 << at
    // `House 12 along Allen Avenue`
    const isAlong = word === "along" && isDigit(raw[(origins[at] as number) - 1]) && !isDigit(words[at + 1])
    // `Ora` is a state's word before its name, and not in `Igbo-Ora, Oyo`.
    const isPlaceKind = word === "state" || !foreignWords.has(word) || isBeforeName(segments, hyphens, at)
    if ((fillers.has(word) && isPlaceKind) || isAlong) fillerBits |= 1 << at
    // `House No. 12`
    const isBeforeNumber = isDigit(words[at + 1]) || (numberWords.has(words[at + 1] ?? "") && isDigit(words[at + 2]))
    if (isBeforeNumber && numberWords.has(word)) fillerBits |= 1 << at
    // `KM 14` is a place on a road, and no house.
    if (isDigit(word) && words[at - 1] === "km") fillerBits |= 1 << at
    else if (isNumeral(word)) numerals |= 1 << at
  }
  const relation = relationIn(words, segments, fillerBits)
  return {
    words,
    origins,
    raw,
    segments,
    isCut: words.length < read.words.length,
    all,
    numerals: numerals & ~relation.relation,
    fillers: fillerBits,
    streets,
    flat,
    ranges: withNext(pairsIn(text, range, words)),
    hyphens,
    streetNames: streetNamesIn(segments, streets, hyphens) & ~fillerBits & ~numerals & ~relation.relation,
    acronyms: acronymsIn(text, words),
    last: lastIn(segments) & ~fillerBits,
    ...relation
  }
}

interface SegmentedWords extends Pick<Query, "origins" | "raw" | "segments" | "words"> {}

const segmentEnd = /[,;|\n\r]+|\s[([{]|[)\]}](?=\s|$|[,;])|^[([{]|\s[-–—]+\s/u
/** A dot ends a part after a whole word: `Ikeja. Lagos`, and not `St. John` or `Compr. School`. */
const sentenceEnd = /(?<=(\p{L}{5,}))\.\s/gu

const partsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(segmentEnd)
    .flatMap((part) =>
      part.replace(sentenceEnd, (dot, word: string) => (abbreviations.has(fold(word)) ? dot : "\n")).split("\n")
    )

const readSegments = (text: string): SegmentedWords => {
  const words: Array<string> = []
  const origins: Array<number> = []
  const raw: Array<string> = []
  const segments: Array<number> = []
  for (const [segment, part] of partsOf(text).entries()) {
    const read = readWords(part)
    for (const [at, word] of read.words.entries()) {
      words.push(word)
      origins.push(raw.length + (read.origins[at] as number))
      segments.push(segment)
    }
    raw.push(...read.raw)
  }
  return { words, origins, raw, segments }
}

/**
 * `Gold Avene`, `Bank Stre.`: a word after a name that the directory does not have, and that is nearly one for a street. So
 * 9 Gold Street is not taken for it.
 */
const withStreetWords = (
  { segments, words }: SegmentedWords,
  isKnown: (word: string) => boolean
): ReadonlyArray<string> =>
  words.map((word, at) => {
    const before = at > 0 && segments[at - 1] === segments[at] ? (words[at - 1] as string) : "1"
    const after = segments[at + 1] === segments[at] ? (words[at + 1] as string) : ""
    if (isNumeral(before) || isStreetWord(before) || isStreetWord(after) || isStreetWord(word)) return word
    return isKnown(word) ? word : (meantStreetWord(word) ?? word)
  })

/** The first and the last words of those that name something: an address ends with its places. */
const shortened = (read: SegmentedWords, isKnown: (word: string) => boolean): SegmentedWords => {
  const known = [...read.words.keys()].filter((at) => {
    const word = read.words[at] as string
    return !fillers.has(word) && (isNumeral(word) || isKnown(word))
  })
  const kept = known.length <= maxWords ? known : [...known.slice(0, maxWords / 2), ...known.slice(-maxWords / 2)]
  return {
    raw: read.raw,
    words: kept.map((at) => read.words[at] as string),
    origins: kept.map((at) => read.origins[at] as number),
    segments: kept.map((at) => read.segments[at] as number)
  }
}

const range = /(?<![\d/-])(\d{1,5})[a-z]?\s?[/&–-]\s?(\d{1,5})[a-z]?(?![\d/-])/giu

const hyphen = /(\p{L}{3,})[-–](?=(\p{L}{3,}))/gu

const streetNamesIn = (segments: ReadonlyArray<number>, streets: number, hyphens: number): number => {
  let names = 0
  for (let at = 1; at < segments.length; at++) {
    if ((streets & (1 << at)) === 0) continue
    for (let before = at - 1; before >= 0 && segments[before] === segments[at]; before--) {
      if (before < at - 1 && (hyphens & (1 << before)) === 0 && (streets & (2 << before)) === 0) break
      names |= 1 << before
    }
  }
  return names & ~streets
}

const acronym = /(?<![\p{L}\p{N}])\p{Lu}{2,4}(?![\p{L}\p{N}])/gu

const acronymsIn = (text: string, words: ReadonlyArray<string>): number => {
  if (!/\p{Ll}{2}/u.test(text)) return 0
  let acronyms = 0
  for (const [found] of text.matchAll(acronym)) {
    const at = words.indexOf(fold(found))
    if (at >= 0) acronyms |= 1 << at
  }
  return acronyms
}

const lastIn = (segments: ReadonlyArray<number>): number => {
  const end = segments.length
  const start = segments.indexOf(segments[end - 1] as number)
  return start <= 0 ? 0 : (2 ** end - 1) & ~(2 ** start - 1)
}

const withNext = (pairs: number): number => pairs | (pairs << 1)

/** The first words of the pairs that a pattern finds. */
const pairsIn = (text: string, pattern: RegExp, words: ReadonlyArray<string>): number => {
  let pairs = 0
  for (const found of text.matchAll(pattern)) {
    const first = fold(found[1] as string)
    const second = fold(found[2] as string)
    for (let at = 0; at + 1 < words.length; at++) {
      if (words[at]?.startsWith(first) === true && words[at + 1]?.startsWith(second) === true) pairs |= 1 << at
    }
  }
  return pairs
}

/** `Ikeja Local Government, Lagos`, and not `Local Govt. Primary School`. */
const localGovernmentArea =
  /\blocal\s+gov(?:ernmen)?t\b(?:\.?\s+area\b|(?=\s*:)|(?<=[\p{L}\d]\s+local\s+\S+)(?=\.?\s*(?:$|[,;|\n)]|\p{L}+(?:\s+state\b|\s*(?:$|[,;|\n])))))/giu

/** `MarketRoad`, and not `McDonald`. */
const lostSpace = /(?<=\p{L}{2}\p{Ll})(?=\p{Lu}\p{Ll}{2})/gu

/** Short names that are whole parts of a text, and what they stand for. */
const shortNames: ReadonlyArray<readonly [short: RegExp, name: string]> = [
  [lostSpace, " "],
  [localGovernmentArea, "lga"],
  [/(?<=^\s*|[,;\n)|]\s*)v\.?\s?i\.?(?=\s*(?:$|[,;\n]|lagos\b))/gi, "Victoria Island"],
  [/(?<![\p{L}\p{N}])v\.\s?i(?:\.|(?![\p{L}\p{N}]))/giu, "Victoria Island"],
  [/(?<!\p{L})(?:v[./]?\s?|vic\.?\s?|v\/)island(?!\p{L})|(?<![\p{L}\p{N}])v\/i(?![\p{L}\p{N}])/giu, "Victoria Island"],
  // `32 Adeola Odeku VI`, and not `Phase VI`.
  [
    /(?<=\d[^,;\n]*\p{L}{3,}\s)(?<!\b(?:school|sch|phase|zone|block|ward|unit|flat|plot|class|section|part|extension|number|level|floor)\s)vi(?=\s*(?:$|[.,;\n]|lagos\b))/giu,
    "Victoria Island"
  ],
  [/(?<![\p{L}\p{N}])s\/l(?:ere)?(?![\p{L}\p{N}])/giu, "Surulere"],
  // `no7`, `Plot12A`
  [
    /(?<![\p{L}\p{N}])(?<word>nos?|num|number|plot|house|hse|block|blk)(?=\d{1,5}[a-z]?(?![\p{L}\p{N}]))/giu,
    "$<word> "
  ],
  [/(?<!\p{L})b\/4(?![\p{L}\p{N}])/giu, "before"],
  // A zero for the letter.
  [/(?<![\p{L}\p{N}])n0[\s.:]+(?=\d)/giu, "no "],
  // `PHC` alone is a primary health centre.
  [/(?<=[,;\n]\s*)phc(?=[\s,]+rivers(?:\s+state)?\s*(?:$|[.,;\n]))/giu, "Port Harcourt"],
  // After a house, `PHC` is its city.
  [
    /(?<![\p{L}\p{N}])phc(?=\s*(?:$|[.,;\n]))(?<=\d[^,;\n]{0,60}\b(?:road|rd|street|str?|avenue|ave?|close|cl|crescent|cres|way|lane|ln|drive)\b[^\d]{0,60}[,;\n]\s{0,4}phc)/giu,
    "Port Harcourt"
  ],
  [/(?<!\p{L})b[/.]?\s?stop(?!\p{L})/giu, "bus stop"],
  // Hausa and Yoruba for `House No.`
  [/(?<![\p{L}\p{N}])(?:gida\s+)?(?:mai\s+)?lamba(?=[\s.:]+\d)|(?<![\p{L}\p{N}])oj[uú]l[eé](?=\s+\d)/giu, "No"]
]

const inFull = (text: string): string => shortNames.reduce((full, [short, name]) => full.replace(short, name), text)

const isBeforeName = (segments: ReadonlyArray<number>, hyphens: number, at: number): boolean =>
  segments[at + 1] === segments[at] && (at === 0 || (hyphens & (1 << (at - 1))) === 0)

const isDigit = (word: string | undefined): boolean => word !== undefined && /^\d/.test(word)

const fillers: ReadonlySet<string> = new Set([
  ..."lga lcda lg ward nigeria ng town village city area the of and at in axis for wey dey na".split(" "),
  ...stateWords,
  ...foreignLgaWords
])
const foreignWords: ReadonlySet<string> = new Set([...stateWords, ...foreignLgaWords])
const numberWords: ReadonlySet<string> = new Set("no nos num number numero plot house block blk km".split(" "))
