/**
 * Hard texts of other kinds than those that the search was tuned with: spellings by ear, words joined and torn, forms of
 * chats, banks and invoices, and places that do not exist. The label of a text with a unit is that of its whole address.
 */
import type { AddressRow } from "./AddressRow.ts"
import { type HardRecipe, unlisted } from "./hardTexts.ts"
import { inventedName, inventedTown, noPlace } from "./inventions.ts"
import type { Labels } from "./Labels.ts"
import type { Lot } from "./Lot.ts"
import { relation } from "./landmarks.ts"
import { joined, whole } from "./unitTexts.ts"

/** A text about a row that is known by all of its parts. */
type Wording = (row: AddressRow, lot: Lot, labels: Labels) => string | undefined

const wordings: Readonly<Record<string, Wording>> = {
  "written by ear": ({ name, ...row }, lot) => changed(name, byEar, row, lot),
  "two letters swapped in a name and its locality": ({ lga, locality, name, state }, lot) =>
    changed(`${name}, ${locality}`, swapped, { locality: "", lga, state }, lot),
  "words of the name joined": ({ name, ...row }, lot) =>
    changed(name, (text) => text.replace(/(?<=\p{L}) (?=\p{L})/gu, ""), row, lot),
  "a long word torn": ({ name, ...row }, lot) =>
    changed(name, (text) => text.replace(/\p{L}{8,}/u, (word) => `${word.slice(0, 4)} ${word.slice(4)}`), row, lot),
  "vowels with marks": (row, lot) =>
    whole(row).replace(/[aeiou]/gi, (letter) =>
      lot.chance(0.4) ? `${letter}${lot.one(["\u0300", "\u0301", "\u0323"])}` : letter
    ),
  "a zero for the letter": ({ name, ...row }, lot) =>
    changed(name, (text) => text.replace(/o(?=\p{Ll})/u, "0"), row, lot),
  "an initial for the first name": ({ name, ...row }, lot) =>
    changed(name, (text) => text.replace(/\p{Lu}\p{Ll}{3,}(?= \p{Lu}\p{Ll}+ )/u, (word) => `${word[0]}.`), row, lot),
  "places first": ({ lga, locality, name, state }, lot) =>
    [state, lga, locality, name].join(lot.one([", ", " - ", " "])),
  slashes: ({ lga, locality, name, state }) => [name, locality, lga, state].filter((part) => part !== "").join(" / "),
  "full stops and capitals": (row) => whole(row).replaceAll(", ", ". ").toUpperCase(),
  "a form of a bank": ({ lga, locality, name, state }) => `ADD: ${name}, ${locality}; LGA: ${lga}; STATE: ${state}`,
  "a question": (row, lot) => lot.one(questions).replace("*", whole(row)),
  "a chat": ({ lga, locality, name, state }, lot) =>
    `${lot.one(["I dey", "abeg I dey stay for", "we dey", "na"])} ${name}, ${locality} for ${lga}, ${state}`,
  "an invoice": (row, lot) =>
    `Bill to: ${lot.one(names)}\n${whole(row).replaceAll(", ", "\n")}\nP: 0803 ${200 + lot.below(700)} 4566`,
  "an order": (row, lot) =>
    `${whole(row)} ${lot.one(["x2 pcs", "size 42, colour black", "order #4471", "pay on delivery"])}`,
  "written twice": ({ name, ...row }) => `${name}, ${whole({ ...row, name })}`,
  axis: ({ lga, locality, name, state }) =>
    locality === "" ? undefined : `${name}, ${locality} axis, ${lga}, ${state}`,
  "the state in another language": ({ lga, locality, name, state }, lot) =>
    joined(name, locality, lga, `${lot.one(["Ipinle", "Jihar"])} ${state}`),
  "a listed landmark first": (row, lot, labels) => {
    const landmark = labels.neighbourOf(row, lot)
    return landmark === undefined ? undefined : `${relation(lot)} ${landmark.name}, ${whole(row)}`
  },
  "an invented landmark first": (row, lot) => `${relation(lot)} ${inventedName(lot)}, ${whole(row)}`,
  "a street that it leads off": ({ lga, locality, name, state }, lot) =>
    locality === ""
      ? undefined
      : `${name}, off ${inventedName(lot).replace(/^\d+ /, "")}, ${locality}, ${lga}, ${state}`
}

const named = Object.entries(wordings).map(([kind, write]): readonly [string, HardRecipe] => [
  kind,
  (row, lot, labels) => {
    const text = write(row, lot, labels)
    if (text === undefined) return undefined
    const meaning = labels.unitOf(whole(row), { within: row })
    return meaning.codes.includes(row.postcode) ? { text, meaning } : undefined
  }
])

const invented: Readonly<Record<string, HardRecipe>> = {
  "an invented name off a listed street": (row, lot, labels) => {
    const text = joined(`${inventedName(lot)} off ${row.name.replace(/^\S*\d\S* /, "")}`, row.locality, row.lga)
    return row.locality !== "" && labels.isUnknown(text, { ...row, locality: "" })
      ? { text, meaning: unlisted(labels.localityOf(row)) }
      : undefined
  },
  "a chat about an invented place": (row, lot, labels) => {
    const text = `I dey ${inventedName(lot)}, ${inventedTown(lot)}, for ${row.lga} side, ${row.state}`
    return labels.isUnknown(text, row) ? { text, meaning: unlisted(labels.lgaOf(row)) } : undefined
  },
  "an invoice without a place": (_row, lot, labels) => {
    const text = `Bill to: ${lot.one(names)}\n${inventedName(lot)}\n${inventedTown(lot)}\nP: 0803 ${200 + lot.below(700)} 4566`
    return labels.isAnywhere(text) ? undefined : { text, meaning: unlisted([]) }
  },
  "a question without a place": (_row, lot, labels) => {
    const text = lot.one(questions).replace("*", noPlace(lot))
    return labels.isAnywhere(text) ? undefined : { text, meaning: unlisted([]) }
  },
  "a far number of a listed street": (row, lot, labels) => {
    const number = /^\d+(?= )/.exec(row.name)?.[0]
    if (number === undefined) return undefined
    const far = { ...row, name: row.name.replace(number, `${1_000 + lot.below(900)}`) }
    return labels.isUnknown(whole(far), row)
      ? { text: whole(far), meaning: unlisted(labels.siblingsOf(row)) }
      : undefined
  }
}

export const otherRecipes: Readonly<Record<string, HardRecipe>> = { ...Object.fromEntries(named), ...invented }

/** The whole address with a changed name; undefined if nothing changes. */
const changed = (
  name: string,
  change: (name: string, lot: Lot) => string,
  { lga, locality, state }: Pick<AddressRow, "lga" | "locality" | "state">,
  lot: Lot
): string | undefined => {
  const written = change(name, lot)
  return written === name ? undefined : joined(written, locality, lga, state)
}

/** One spelling that sounds the same. */
const byEar = (text: string, lot: Lot): string => {
  const possible = sounds.filter(([sound]) => sound.test(text))
  if (possible.length === 0) return text
  const [sound, other] = lot.one(possible)
  return text.replace(sound, other)
}

const sounds: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?<=\p{L})sh(?=\p{L})/u, "s"],
  [/(?<=\p{L})ph(?=\p{L})/u, "f"],
  [/(?<=\p{L})ck(?=\p{L})/u, "k"],
  [/(?<=\p{L})gb(?=\p{L})/u, "b"],
  [/(?<=\p{L})w(?=[aeiou])/u, "u"],
  [/(?<=\p{L})(\p{L})\1(?=\p{L})/u, "$1"],
  [/(?<=\p{L})i(?=[bdgklmnrt])/u, "ee"],
  [/(?<=\p{L})u(?=[bdgklmnrt])/u, "oo"]
]

/** Two letters in the middle of each long word. */
const swapped = (text: string): string => text.replace(/(?<=\p{L}{3})(\p{L})(\p{L})(?=\p{L}{2})/u, "$2$1")

const questions = [
  "what is the postcode of *?",
  "pls wetin be the postcode for * ?",
  "postcode for *",
  "I need code of * urgently"
]
const names = ["Adaeze Nwosu", "Musa Ibrahim", "Tolu Bankole & Sons", "Sunny Ventures Ltd", "Mrs Hauwa Bello"]
