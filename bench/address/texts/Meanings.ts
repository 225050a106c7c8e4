/**
 * What a text can mean, by comparing it with every address: the labels of test texts.
 *
 * A row is a meaning if it explains every word of the text, and the text has every word of the row's name. Order,
 * punctuation and common abbreviations do not count. With typing errors, the rows that need the fewest are meant.
 */
import type { AddressRow } from "./AddressRow.ts"
import { editDistance } from "./editDistance.ts"
import { fullWords, meaningWords, surfaceWords } from "./Words.ts"

/** How a name is abbreviated beyond what is common, word by word or as a whole. */
export type Style = (words: ReadonlyArray<string>) => ReadonlyArray<string>

export interface Query {
  /** The text, with everything in it that narrows the meaning. */
  readonly text: string
  /** Whether it has a name; otherwise it means all units of a locality. */
  readonly isNamed: boolean
  /** The number of typing errors in it. */
  readonly errors: number
  /** Where it places what it means, if it says so: parts of an address. */
  readonly within?: Scope | undefined
}

/** The parts of an address that a text names. */
export type Scope = Partial<Pick<AddressRow, "locality" | "lga" | "state">>

export interface Found {
  /** The rows that the text can mean. */
  readonly rows: ReadonlyArray<number>
  /** Whether another row needs only one more typing error. */
  readonly hasRival: boolean
}

export class Meanings {
  private readonly rows: ReadonlyArray<RowWords>
  private readonly postings = new Map<string, Array<number>>()

  constructor(rows: ReadonlyArray<AddressRow>, style: Style = (words) => words) {
    const wordsOf = remembering(meaningWords)
    this.rows = rows.map((row) => ({
      name: style(surfaceWords(row.name)).flatMap(fullWords),
      locality: wordsOf(row.locality),
      places: wordsOf(placesOf(row)),
      row
    }))
    for (const [index, { locality, name, places }] of this.rows.entries()) {
      for (const word of new Set([...name, ...locality, ...places])) {
        const list = this.postings.get(word)
        if (list === undefined) this.postings.set(word, [index])
        else list.push(index)
      }
    }
  }

  /** The number of rows that have a word. */
  frequency(word: string): number {
    return this.postings.get(word)?.length ?? 0
  }

  find(query: Query): Found {
    const words = [...new Set(meaningWords(query.text))]
    const max = query.errors === 0 ? 0 : query.errors + 1
    const costs = this.candidates(words, max)
      .filter((row) => query.within === undefined || isWithin(this.rows[row] as RowWords, query.within))
      .map((row) => [row, this.cost(row, words, query.isNamed, max)] as const)
    const least = costs.reduce((low, [, cost]) => Math.min(low, cost), Number.POSITIVE_INFINITY)
    if (least > query.errors) return { rows: [], hasRival: false }
    const rows = costs.filter(([, cost]) => cost === least).map(([row]) => row)
    return { rows, hasRival: query.errors > 0 && costs.some(([, cost]) => cost === least + 1) }
  }

  /** The typing errors between the words and a row; above `max` if it does not explain them. */
  cost(index: number, words: ReadonlyArray<string>, isNamed: boolean, max: number): number {
    const { locality, name, places } = this.rows[index] as RowWords
    const explaining = isNamed ? [...name, ...locality, ...places] : [...locality, ...places]
    const unexplained = words.filter((word) => !explaining.includes(word))
    if (unexplained.length > max) return max + 1
    let cost = 0
    for (const word of unexplained) {
      cost += leastDistance(word, explaining, max - cost)
      if (cost > max) return cost
    }
    const needed = isNamed ? name : locality
    return needed.every((word) => leastDistance(word, words, max) <= max) ? cost : max + 1
  }

  /** All rows that have all words but `max`. */
  private candidates(words: ReadonlyArray<string>, max: number): ReadonlyArray<number> {
    const least = words.length - max
    if (least <= 0) return this.rows.map((_, index) => index)
    // A row with that many words has one of the rarest.
    const lists = words.map((word) => this.postings.get(word) ?? []).sort((a, b) => a.length - b.length)
    const counts = new Map<number, number>()
    for (const [rank, list] of lists.entries()) {
      const isRare = rank <= words.length - least
      if (isRare) for (const row of list) counts.set(row, (counts.get(row) ?? 0) + 1)
      else for (const [row, count] of counts) if (includesSorted(list, row)) counts.set(row, count + 1)
    }
    return [...counts].filter(([, count]) => count >= least).map(([row]) => row)
  }
}

/** The words of a row. No text has to have those of the ward, the LGA and the state. */
interface RowWords {
  readonly name: ReadonlyArray<string>
  readonly locality: ReadonlyArray<string>
  readonly places: ReadonlyArray<string>
  readonly row: AddressRow
}

const isWithin = ({ locality, row }: RowWords, within: Scope): boolean =>
  (within.state === undefined || row.state === within.state) &&
  (within.lga === undefined || row.lga === within.lga) &&
  (within.locality === undefined || isSameName(locality, meaningWords(within.locality)))

const isSameName = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.every((word) => b.includes(word)) && b.every((word) => a.includes(word))

const placesOf = ({ lga, state, ward }: AddressRow): string =>
  `${ward} ${lga} ${state} ${state === "Federal Capital Territory" ? "FCT Abuja" : ""}`

/** Many rows are in one place. */
const remembering = <A>(compute: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    const value = known.get(text) ?? compute(text)
    known.set(text, value)
    return value
  }
}

const leastDistance = (word: string, others: ReadonlyArray<string>, max: number): number => {
  if (others.includes(word)) return 0
  // Numbers and very short words are what they are.
  if (max <= 0 || !/^\p{L}{4,}$/u.test(word)) return max + 1
  let least = max + 1
  for (const other of others) {
    if (other.length < 3 || /[0-9]/.test(other)) continue
    least = Math.min(least, editDistance(word, other, least - 1))
  }
  return least
}

const includesSorted = (list: ReadonlyArray<number>, value: number): boolean => {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return list[low] === value
}
