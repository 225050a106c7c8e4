/** How many units are kept, accepted or replaced by a wrong one when addresses are written in everyday forms. */
import { searchAddress } from "@postcode/core/AddressSearch"
import type { Directory } from "@postcode/core/Directory"
import { groupBy } from "../groupBy.ts"
import type { AddressRow } from "../texts/AddressRow.ts"
import { Lot } from "../texts/Lot.ts"
import { joined } from "../texts/unitTexts.ts"
import { everydayForms, type PlainAddress } from "./everydayForms.ts"

/** Counts of texts of one form. */
export interface EverydayGrade {
  readonly form: string
  readonly texts: number
  readonly kept: number
  readonly accepted: number
  /** Another unit was claimed. */
  readonly wrong: number
  /** Some texts whose unit was not kept, or was wrong. */
  readonly lost: ReadonlyArray<string>
}

/** A text in an everyday form, and the unit that it means. */
export interface EverydayText {
  readonly form: string
  readonly text: string
  readonly postcode: string
}

/** Each form of so many addresses that are accepted as they are. */
export const everydayTexts = (
  directory: Directory,
  rows: ReadonlyArray<AddressRow>,
  count: number,
  seed = 11
): ReadonlyArray<EverydayText> => {
  const lot = new Lot(seed)
  const addresses = plainAddresses(directory, rows, count, lot)
  return Object.entries(everydayForms).flatMap(([form, write]) =>
    addresses.flatMap((address) => {
      const text = write(address, lot)
      return text === undefined ? [] : [{ form, text, postcode: address.postcode }]
    })
  )
}

export const gradeEveryday = (
  directory: Directory,
  rows: ReadonlyArray<AddressRow>,
  count: number
): ReadonlyArray<EverydayGrade> =>
  [...groupBy(everydayTexts(directory, rows, count), ({ form }) => form)].map(([form, texts]) => {
    const graded = texts.map(({ postcode, text }) => {
      const { action, code, precision } = searchAddress(directory, text)
      const isKept = code === postcode
      return { text, isKept, isAccepted: isKept && action === "accept", isWrong: precision === "unit" && !isKept }
    })
    return {
      form,
      texts: texts.length,
      kept: graded.filter(({ isKept }) => isKept).length,
      accepted: graded.filter(({ isAccepted }) => isAccepted).length,
      wrong: graded.filter(({ isWrong }) => isWrong).length,
      lost: graded.filter(({ isKept }) => !isKept).map(({ isWrong, text }) => (isWrong ? `WRONG ${text}` : text))
    }
  })

/** Addresses of a directory that are accepted as they are. */
const plainAddresses = (
  directory: Directory,
  rows: ReadonlyArray<AddressRow>,
  count: number,
  lot: Lot
): ReadonlyArray<PlainAddress> => {
  const found = new Map<string, PlainAddress>()
  for (let tries = 0; found.size < count && tries < 200 * count; tries++) {
    const row = lot.one(rows)
    // Forms put words before the number, so that a plot or a flat of the directory stays as it is written.
    if (row.name === "" || /^(?:plot|flat)/i.test(row.name)) continue
    const text = joined(row.name, row.locality, row.lga, row.state)
    const { action, code } = searchAddress(directory, text)
    if (code === row.postcode && action === "accept") found.set(row.postcode, plainAddress(row, text))
  }
  return [...found.values()]
}

const plainAddress = ({ name, postcode }: AddressRow, text: string): PlainAddress => {
  const [, number = "", street = name] = /^(\d+[A-Z]?) (.+)$/.exec(name) ?? []
  return { postcode, number, street, line: name, places: text.slice(name.length + 2) }
}
