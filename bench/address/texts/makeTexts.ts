/** Labelled test texts of a directory: the same for the same rows and seed. */
import type { AddressRow } from "./AddressRow.ts"
import { type HardRecipe, hardRecipes } from "./hardTexts.ts"
import { Labels } from "./Labels.ts"
import { Lot } from "./Lot.ts"
import { otherRecipes } from "./otherTexts.ts"
import { fnv1a, type TestText } from "./TestText.ts"
import { bare, joined, plainRecipes, type Recipe, scopeOf, withErrors } from "./unitTexts.ts"

export interface TextOptions {
  /** Plain texts, and as many hard ones of each set. */
  readonly count: number
  /** Which half of the units they are made from: `even` for tuning, `odd` for measuring. */
  readonly half: "even" | "odd"
  readonly seed: number
}

export const makeTexts = (
  rows: ReadonlyArray<AddressRow>,
  { count, half, seed }: TextOptions
): ReadonlyArray<TestText> => {
  const labels = new Labels(rows)
  const inHalf = rows.filter(({ postcode }) => fnv1a(postcode) % 2 === (half === "even" ? 0 : 1))
  const named = inHalf.filter(({ name }) => name !== "")
  const located = inHalf.filter(({ lga, locality, state }) => ![lga, state, ""].includes(locality))
  const lot = new Lot(seed + (half === "even" ? 1 : 2))
  const plain = Object.entries(plainRecipes)
  const places = Object.entries(placeRecipes)
  const hard = Object.entries(hardRecipes)
  const other = Object.entries(otherRecipes)
  const eachOther = Math.ceil(count / other.length)
  const eachPlain = Math.ceil(count / (plain.length + places.length))
  const eachHard = Math.ceil(count / hard.length)
  return [
    ...plain.flatMap(([kind, recipe]) =>
      repeated(eachPlain, () => plainText(kind, recipe, lot.one(named), lot, labels))
    ),
    ...places.flatMap(([kind, recipe]) =>
      repeated(eachPlain, () => placeText(kind, recipe, lot.one(located), lot, labels))
    ),
    ...hard.flatMap(([kind, recipe]) =>
      repeated(eachHard, () => hardText("hard", kind, recipe, lot.one(named), lot, labels))
    ),
    ...other.flatMap(([kind, recipe]) =>
      repeated(eachOther, () => hardText("other", kind, recipe, lot.one(named), lot, labels))
    )
  ]
}

/** Localities, without a name. */
const placeRecipes: Readonly<Record<string, Recipe>> = {
  "locality, LGA and state": (row) => ({ text: joined(row.locality, row.lga, row.state) }),
  "locality and LGA": (row, lot) => ({ text: bare(joined(row.locality, row.lga), lot), without: ["state"] }),
  "locality with a typing error": (row, lot) => withErrors(joined(row.locality, row.lga, row.state), 1, lot)
}

const plainText = (kind: string, recipe: Recipe, row: AddressRow, lot: Lot, labels: Labels): TestText | undefined => {
  const written = recipe(row, lot)
  if (written === undefined) return undefined
  const { errors, text, meant = text, without } = written
  const meaning = labels.unitOf(meant, { errors, within: scopeOf(row, without) })
  // A typing error can make another address of it.
  return meaning.codes.includes(row.postcode) ? { text, kind, set: "plain", meaning } : undefined
}

const placeText = (kind: string, recipe: Recipe, row: AddressRow, lot: Lot, labels: Labels): TestText | undefined => {
  const written = recipe(row, lot)
  if (written === undefined) return undefined
  const meaning = labels.placeOf(written.text, { errors: written.errors, within: scopeOf(row, written.without) })
  return meaning.codes.includes(row.postcode) ? { text: written.text, kind, set: "plain", meaning } : undefined
}

const hardText = (
  set: "hard" | "other",
  kind: string,
  recipe: HardRecipe,
  row: AddressRow,
  lot: Lot,
  labels: Labels
): TestText | undefined => {
  const labelled = recipe(row, lot, labels)
  return labelled === undefined ? undefined : { ...labelled, kind, set }
}

/** So many different texts, however often the lot falls on a row without one; fewer if there are not enough. */
const repeated = (count: number, make: () => TestText | undefined): ReadonlyArray<TestText> => {
  const texts = new Map<string, TestText>()
  for (let tries = 0; texts.size < count && tries < 100 * count; tries++) {
    const made = make()
    if (made !== undefined) texts.set(made.text, made)
  }
  return [...texts.values()]
}
