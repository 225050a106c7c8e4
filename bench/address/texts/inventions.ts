/** Names, towns and whole texts that no directory has. */
import type { Lot } from "./Lot.ts"

/** A name such as `Golden Pinnacle Academy`. */
export const inventedName = (lot: Lot): string =>
  lot.chance(0.3)
    ? `${lot.below(180) + 1} ${inventedWord(lot)} ${lot.one(["Street", "Road", "Close", "Crescent", "Avenue"])}`
    : `${lot.one([inventedWord(lot), `${lot.one(adjectives)} ${lot.one(nouns)}`, `${lot.one(nouns)} ${inventedWord(lot)}`])} ${lot.one(kinds)}`

/** A word such as `Zobrimel`, in capitals as a name. */
const inventedWord = (lot: Lot): string => {
  const length = 2 + lot.below(2)
  let word = ""
  for (let syllable = 0; syllable < length; syllable++) word += lot.one(syllables)
  word += lot.one(["", "n", "l", "x", "st"])
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export const inventedTown = (lot: Lot): string =>
  inventedWord(lot) + lot.one(["", "ville", " Town", " Layout", " Estate", "burg"])

/** A text that names no place. */
export const noPlace = (lot: Lot): string => {
  const number = lot.below(9_000) + 1
  return lot.one([
    () => `${lot.one(requests)} ${lot.one(requests)} ${number}`,
    () =>
      `${lot.one(people)} 080${String(number * 7_919)
        .padStart(8, "3")
        .slice(0, 8)}`,
    () => `${lot.one(kinds)}`,
    () => `${number}`,
    () => `${inventedName(lot)}, ${inventedTown(lot)}`,
    () => `${inventedWord(lot)} ${inventedWord(lot)} ${inventedWord(lot)}`.toLowerCase(),
    () => `${lot.one(requests)} ${lot.one(people)}`,
    () => `flat ${lot.below(40)} block ${lot.below(20)} ${lot.one(requests)}`,
    () =>
      lot.one([
        "n/a",
        "none",
        "same as above",
        "not applicable",
        "nil",
        "-",
        "home",
        "test test",
        "asdf ghjkl",
        "qwerty",
        "????"
      ]),
    () => `${inventedName(lot)} ${lot.one(requests)}`
  ])()
}

const syllables = "zo bri mel qua vex tob dru lix par fen gol wik jor pel nax smi tre kov dul yem".split(" ")
const adjectives = "Golden Silver Purple Crimson Velvet Frozen Gentle Turbo Quantum Lunar Arctic Hidden".split(" ")
const nouns = "Pinnacle Walrus Cactus Penguin Lighthouse Biscuit Teapot Glacier Comet Saxophone Harpoon Maple".split(
  " "
)
const kinds = [
  "Academy",
  "Nursery and Primary School",
  "Secondary School",
  "Clinic",
  "Health Centre",
  "Primary School",
  "Hospital",
  "Supermarket",
  "Hotel",
  "Pharmacy"
]
const people = [
  "call Emeka",
  "ask for Mrs Bello",
  "my uncle",
  "the tall man",
  "customer care",
  "attention of the manager"
]
const requests = [
  "please deliver before noon",
  "leave it with the neighbour",
  "fragile handle carefully",
  "ring twice",
  "blue gate two storey building",
  "same as billing",
  "pay on delivery",
  "do not bend",
  "thank you very much",
  "urgent parcel"
]
