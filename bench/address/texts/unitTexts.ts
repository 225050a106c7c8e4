/** How people write the address of a unit that has a name: recipes, each with the text and what narrows its meaning. */
import type { AddressRow } from "./AddressRow.ts"
import { commonly } from "./abbreviate.ts"
import type { Lot } from "./Lot.ts"
import type { Scope } from "./Meanings.ts"
import { misspelled } from "./misspell.ts"

export interface Written {
  readonly text: string
  /** The text as the labels read it, if they would not understand it otherwise. */
  readonly meant?: string
  readonly errors?: number
  /** The parts that it leaves out. Default: only the ward. */
  readonly without?: ReadonlyArray<keyof Scope>
}

/** The parts of a row that a text names. */
export const scopeOf = ({ lga, locality, state }: AddressRow, without: ReadonlyArray<keyof Scope> = []): Scope => ({
  ...(without.includes("locality") ? {} : { locality }),
  ...(without.includes("lga") ? {} : { lga }),
  ...(without.includes("state") ? {} : { state })
})

/** Undefined if the address has nothing to which it applies. */
export type Recipe = (row: AddressRow, lot: Lot) => Written | undefined

export const plainRecipes: Readonly<Record<string, Recipe>> = {
  "as in the directory": (row) => ({ text: row.text }),
  "without state": (row) => ({ text: joined(row.name, row.locality, row.lga), without: ["state"] }),
  "without commas": (row, lot) => ({ text: bare(whole(row), lot) }),
  "other order": (row, lot) => ({ text: lot.shuffled(partsOf(row)).join(lot.one([", ", " "])) }),
  "other order of the name": (row, lot) => {
    const words = row.name.split(" ")
    if (words.length < 2) return undefined
    const turned = [...words.slice(-1), ...words.slice(0, -1)].join(" ")
    return { text: joined(lot.one([turned, lot.shuffled(words).join(" ")]), row.locality, row.lga, row.state) }
  },
  "one typing error": (row, lot) => withErrors(whole(row), 1, lot),
  "two typing errors": (row, lot) => withErrors(whole(row), 2, lot),
  "common abbreviations": (row, lot) => {
    const text = commonly(whole(row), lot)
    return text === undefined ? undefined : { text }
  },
  "with State and LGA": (row, lot) => ({
    text: joined(
      row.name,
      row.locality,
      `${row.lga} ${lot.one(["LGA", "L.G.A", "Local Government Area", "lga"])}`,
      stateOf(row)
    )
  }),
  "without locality": (row) => ({ text: joined(row.name, row.lga, row.state), without: ["locality"] }),
  "without LGA": (row, lot) => ({
    text: joined(row.name, row.locality, lot.one([row.state, stateOf(row)])),
    without: ["lga"]
  }),
  "name and locality alone": (row, lot) => ({
    text: lot.one([bare, same])(joined(row.name, row.locality), lot),
    without: ["lga", "state"]
  }),
  "with the ward": (row) =>
    row.ward === "" ? undefined : { text: joined(row.name, row.locality, row.ward, row.lga, row.state) },
  "other spellings": (row, lot) => respelled(whole(row), lot),
  "hasty: small letters, an abbreviation, a typing error": (row, lot) => {
    const text = commonly(joined(row.name, row.locality, row.lga), lot)
    const written = text === undefined ? undefined : withErrors(bare(text, lot).toLowerCase(), 1, lot)
    return written === undefined ? undefined : { ...written, without: ["state"] }
  }
}

/** The parts that an address is usually written with: all but the ward. */
export const whole = ({ lga, locality, name, state }: AddressRow): string => joined(name, locality, lga, state)

/** A locality stands once, also if the name has it. */
export const joined = (name: string, ...places: ReadonlyArray<string>): string =>
  [name, ...places.filter((place, at) => place !== "" && !(at === 0 && name.endsWith(place)))].join(", ")

const partsOf = ({ lga, locality, name, state }: AddressRow): ReadonlyArray<string> =>
  [name, locality, lga, state].filter((part) => part !== "")

const same = (text: string): string => text

/** Without commas, sometimes in small letters or capitals. */
export const bare = (text: string, lot: Lot): string => {
  const spaced = text.replace(/,/g, "")
  return lot.one([spaced, spaced.toLowerCase(), spaced.toLowerCase(), spaced.toUpperCase()])
}

export const withErrors = (text: string, errors: number, lot: Lot): Written | undefined => {
  const written = misspelled(text, errors, lot)
  return written === undefined ? undefined : { text: written, errors }
}

const stateOf = ({ state }: AddressRow): string => (state === capital ? "FCT" : `${state} State`)

const capital = "Federal Capital Territory"

/** Names of places as other maps and older forms spell them. */
const respelled = (text: string, lot: Lot): Written | undefined => {
  let written = text.replace(capital, lot.one(["Abuja", "FCT", "FCT Abuja", "Abuja FCT", "F.C.T."]))
  for (const [pattern, others] of spellings) written = written.replace(pattern, lot.one(others))
  return written === text ? undefined : { text: written, meant: text }
}

const spellings: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/\bSabon Gari\b/g, ["Sabongari", "Sabon-Gari"]],
  [/\bTudun Wada\b/g, ["Tudunwada", "Tudun-Wada"]],
  [/\bPort[- ]Harcourt\b/gi, ["Portharcourt", "Port-Harcourt", "PortHarcourt"]],
  [/\bNasarawa\b/g, ["Nassarawa"]],
  [/\b(Unguwar|Unguwan|Ungwan|Anguwan|Angwan)\b/g, ["Ungwar", "Angwan", "Anguwan", "Unguwan"]],
  [/\bIjebu[- ]Ode\b/g, ["Ijebu-Ode", "Ijebuode"]],
  [/\bIle[- ]Ife\b/g, ["Ile-Ife", "Ileife"]],
  [/\bOgbomosho\b/g, ["Ogbomoso"]],
  [/\bOshogbo\b/g, ["Osogbo"]],
  [/\bCentre\b/g, ["Center"]],
  [/\b([A-Z][a-z]{3,}) (North|South|East|West)\b/g, ["$1-$2"]],
  [/\b(North|South) (East|West)\b/g, ["$1-$2", "$1$2"]],
  [/\bSaint\b/g, ["St"]]
]
