/** Labels of texts about a directory: the units that they mean, by comparison with all of its addresses. */

import { groupBy } from "../groupBy.ts"
import type { AddressRow } from "./AddressRow.ts"
import { styles } from "./abbreviate.ts"
import type { Lot } from "./Lot.ts"
import { Meanings, type Scope, type Style } from "./Meanings.ts"
import type { Meaning } from "./TestText.ts"
import { joined } from "./unitTexts.ts"
import { meaningWords } from "./Words.ts"

type StyleName = keyof typeof styles

/** How a text is to be read: as written correctly and in full, wherever it may be, by default. */
export interface Reading {
  readonly errors?: number | undefined
  readonly style?: StyleName | undefined
  readonly within?: Scope | undefined
}

export class Labels {
  private readonly rows: ReadonlyArray<AddressRow>
  private readonly named: ReadonlyArray<AddressRow>
  private readonly meanings: Meanings
  private readonly styled = new Map<StyleName | "numberless", Meanings>()
  private readonly byLga: ReadonlyMap<string, ReadonlyArray<AddressRow>>
  private readonly namesByLocality: ReadonlyMap<string, ReadonlyArray<AddressRow>>

  constructor(rows: ReadonlyArray<AddressRow>) {
    this.rows = rows
    this.named = rows.filter(({ name }) => name !== "")
    this.meanings = new Meanings(rows)
    this.byLga = groupBy(rows, lgaCode)
    this.namesByLocality = groupBy(this.named, localityKey)
  }

  /** The units that a text with a name means. */
  unitOf(text: string, { errors = 0, style, within }: Reading = {}): Meaning {
    const meanings = style === undefined ? this.meanings : this.inStyle(style, styles[style])
    const { hasRival, rows } = meanings.find({ text, isNamed: true, errors, within })
    return { codes: this.codesOf(rows), isUnlisted: false, isCertain: rows.length === 1 && !hasRival }
  }

  /** The units of the localities that a text without a name means. */
  placeOf(text: string, { errors = 0, within }: Reading = {}): Meaning {
    const { rows } = this.meanings.find({ text, isNamed: false, errors, within })
    return { codes: this.codesOf(rows), isUnlisted: false, isCertain: false }
  }

  /** The units of a row's locality in its LGA. */
  localityOf(row: AddressRow): ReadonlyArray<string> {
    return this.placeOf(joined(row.locality, row.lga, row.state), { within: row }).codes
  }

  lgaOf(row: AddressRow): ReadonlyArray<string> {
    return (this.byLga.get(lgaCode(row)) ?? []).map(({ postcode }) => postcode)
  }

  /** The units whose addresses differ from the row's in numbers only. */
  siblingsOf(row: AddressRow): ReadonlyArray<string> {
    return this.siblingsIn(joined(row.name, row.locality, row.lga, row.state))
  }

  /** Those whose addresses differ from a text in numbers only: the houses of a street, wherever the text has it. */
  siblingsIn(text: string): ReadonlyArray<string> {
    const meanings = this.inStyle("numberless", withoutNumbers)
    const numberless = withoutNumbers(meaningWords(text)).join(" ")
    return this.codesOf(meanings.find({ text: numberless, isNamed: true, errors: 0 }).rows)
  }

  /**
   * Whether no address of the row's LGA is nearly the text, also if the text leaves out a locality in its name, and none
   * has a rare word of the text.
   */
  isUnknown(text: string, row: AddressRow): boolean {
    const words = meaningWords(text)
    const places = meaningWords(`${row.locality} ${row.lga} ${row.state}`)
    const named = words.filter((word) => !places.includes(word))
    const rare = named.filter((word) => !this.isCommon(word))
    const isSimilar = (other: AddressRow): boolean => {
      const locality = meaningWords(other.locality)
      const name = meaningWords(other.name)
      const isCovered = name.length > 0 && name.every((word) => words.includes(word) || locality.includes(word))
      const has = (word: string): boolean => name.includes(word) || locality.includes(word)
      return rare.some(has) || (isCovered && named.every(has))
    }
    const isListed = (this.byLga.get(lgaCode(row)) ?? []).some(isSimilar)
    return !isListed && this.meanings.find({ text, isNamed: true, errors: 1 }).rows.length === 0
  }

  /** Whether a text, as it is, means an address or a place. */
  isAnywhere(text: string): boolean {
    return this.unitOf(text).codes.length > 0 || this.placeOf(text).codes.length > 0
  }

  anyNamed(lot: Lot): AddressRow {
    return lot.one(this.named)
  }

  /** Another named row of the same locality. */
  neighbourOf(row: AddressRow, lot: Lot): AddressRow | undefined {
    const others = (this.namesByLocality.get(localityKey(row)) ?? []).filter(({ name }) => name !== row.name)
    return others.length === 0 ? undefined : lot.one(others)
  }

  private isCommon(word: string): boolean {
    return this.meanings.frequency(word) > this.rows.length / 2_000 || /[0-9]/.test(word)
  }

  private codesOf(rows: ReadonlyArray<number>): ReadonlyArray<string> {
    return rows.map((row) => (this.rows[row] as AddressRow).postcode).sort()
  }

  private inStyle(name: StyleName | "numberless", style: Style): Meanings {
    const known = this.styled.get(name)
    if (known !== undefined) return known
    const meanings = new Meanings(this.rows, style)
    this.styled.set(name, meanings)
    return meanings
  }
}

const lgaCode = ({ postcode }: AddressRow): string => postcode.slice(0, 5)

const localityKey = (row: AddressRow): string => `${lgaCode(row)} ${row.locality}`

const withoutNumbers: Style = (words) => words.filter((word) => !/^([0-9]+|i{1,3}|iv|vi{0,3}|v|ix|x)$/.test(word))
