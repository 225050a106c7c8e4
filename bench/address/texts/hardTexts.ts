/** Texts that invite a wrong unit, each with the units that an honest answer holds. */
import type { AddressRow } from "./AddressRow.ts"
import { styles } from "./abbreviate.ts"
import { inventedName, inventedTown, noPlace } from "./inventions.ts"
import type { Labels } from "./Labels.ts"
import type { Lot } from "./Lot.ts"
import { beforeLandmark, relation } from "./landmarks.ts"
import type { Meaning } from "./TestText.ts"
import { bare, joined, scopeOf, whole, withErrors } from "./unitTexts.ts"
import { surfaceWords } from "./Words.ts"

export interface Labelled {
  readonly text: string
  readonly meaning: Meaning
}

/** Undefined if the row has nothing to which it applies, or if the text can mean something else. */
export type HardRecipe = (row: AddressRow, lot: Lot, labels: Labels) => Labelled | undefined

export const hardRecipes: Readonly<Record<string, HardRecipe>> = {
  "invented name in a real locality": (row, lot, labels) => {
    if (row.locality === "") return undefined
    const name = lot.chance(0.5) ? inventedName(lot) : labels.anyNamed(lot).name
    const text = joined(name, row.locality, row.lga, ...lot.one([[], [row.state]]))
    const isInvented = labels.isUnknown(text, row) && labels.siblingsIn(text).length === 0
    return isInvented ? { text, meaning: unlisted(labels.localityOf(row)) } : undefined
  },
  "real name with another LGA": (row, lot, labels) => {
    const other = labels.anyNamed(lot)
    const there = { ...row, lga: other.lga, state: other.state, postcode: other.postcode, locality: "", ward: "" }
    const text = joined(row.name, other.lga, other.state)
    if (row.postcode.slice(0, 5) === other.postcode.slice(0, 5) || !labels.isUnknown(text, there)) return undefined
    // A street of that name, without the number, is known there.
    return labels.siblingsIn(text).length > 0 ? undefined : { text, meaning: unlisted(labels.lgaOf(other)) }
  },
  "number that is not there": (row, lot, labels) => {
    const number = row.name.match(/(?<![.\w])(\d+|II|III|IV)(?![.\w])/)?.[0]
    if (number === undefined) return undefined
    const other = /\d/.test(number) ? `${5 + lot.below(90)}` : lot.one(["VI", "VII", "IX", "XI"])
    const named = { ...row, name: row.name.replace(number, other) }
    const text = lot.one([whole(named), bare(whole(named), lot)])
    return labels.isUnknown(text, row) ? { text, meaning: unlisted(labels.siblingsOf(row)) } : undefined
  },
  "no place at all": (_row, lot, labels) => {
    const text = noPlace(lot)
    return labels.isAnywhere(text) ? undefined : { text, meaning: unlisted([]) }
  },
  "town that is not there": (row, lot, labels) => {
    const text = joined(inventedName(lot), inventedTown(lot), row.lga, row.state)
    return labels.isUnknown(text, row) ? { text, meaning: unlisted(labels.lgaOf(row)) } : undefined
  },
  landmark: (row, lot, labels) => {
    const landmark = lot.one([whole(row), joined(row.name, row.locality, row.lga), bare(whole(row), lot)])
    const text = `${beforeLandmark(lot)}${relation(lot)} ${landmark}`
    return labels.isAnywhere(text)
      ? undefined
      : { text, meaning: unlisted(labels.unitOf(landmark, { within: scopeOf(row, ["state"]) }).codes) }
  },
  "unit before a landmark": (row, lot, labels) => {
    const landmark = labels.neighbourOf(row, lot)
    if (landmark === undefined || row.locality === "") return undefined
    const text = `${row.name} ${relation(lot)} ${landmark.name}, ${row.locality}, ${row.lga}`
    return labels.isAnywhere(text) ? undefined : labelled(text, labels.unitOf(whole(row), { within: row }), row)
  },
  "three typing errors": (row, lot, labels) => {
    const written = withErrors(whole(row), 3, lot)
    return written === undefined
      ? undefined
      : labelled(written.text, labels.unitOf(written.text, { errors: 3, within: row }), row)
  },
  "abbreviations of abbreviations": (row, lot, labels) => {
    const style = lot.one(["initials", "truncated", "consonants"] as const)
    const name = styles[style](surfaceWords(row.name)).join(" ")
    if (name === surfaceWords(row.name).join(" ")) return undefined
    const text = joined(name, row.locality, row.lga, ...lot.one([[], [row.state]]))
    return labelled(text, labels.unitOf(text, { style, within: scopeOf(row, ["state"]) }), row)
  }
}

export const unlisted = (codes: ReadonlyArray<string>): Meaning => ({ codes, isUnlisted: true, isCertain: false })

/** Undefined if the text has become so unclear that it means another row. */
const labelled = (text: string, meaning: Meaning, row: AddressRow): Labelled | undefined =>
  meaning.codes.includes(row.postcode) ? { text, meaning } : undefined
