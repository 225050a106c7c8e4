/** A directory with a few names and, elsewhere, many whose words are more frequent. */
import type { Directory } from "@postcode/core/Directory"
import { addressDirectory, type TestAddresses, type TestPlaces } from "./addressDirectory.ts"

const places: TestPlaces = [
  ["AB", "Abia"],
  ["AB-16", "Umuahia North"],
  ["AB-17", "Umuahia South"],
  ["KN", "Kano"],
  ["KN-33", "Rimin Gado"],
  ["OY", "Oyo"],
  ["OY-07", "Ibadan North East"],
  ["OY-10", "Ibadan South West"]
]

const units: TestAddresses = [
  ["AB-16-A01-AA-01", "Ibeku", "5 Railway Road, Ibeku"],
  ["AB-16-A01-AA-02", "Ibeku", "9 Harmony Street, Ibeku"],
  ["AB-16-A01-AA-03", "Ibeku", "9 Gold Street, Ibeku"],
  ["AB-16-A01-AA-04", "Ibeku", "Ibeku Health Clinic, Ibeku"],
  ["AB-16-A02-AA-01", "Ohuhu", "14 Palace Road, Ohuhu"],
  ["AB-16-A02-AA-02", "Ohuhu", "7 Borehole Road, Ohuhu"],
  ["AB-17-A01-AA-01", "Ubakala", "5 Mercy Close, Ubakala"],
  ["KN-33-A01-AA-01", "Dalila", "3 Secretariat Road, Dalila"],
  ["KN-33-A01-AA-02", "Dalila", "14 Palace Road, Dalila"],
  ["OY-07-A01-AA-01", "Sabo", "12 Morenike Crescent, Sabo"],
  ["OY-10-A01-AA-01", "Oke-Ado", "21 Market Road, Oke-Ado"]
]

/** Streets elsewhere, whose words are in two names each, so that those of the names above are the rarest. */
const others = (): TestAddresses => {
  const starts = [..."bcdfgklmnptz"].flatMap((first) => [..."aeiou"].map((vowel) => `${first}${vowel}`))
  const words = ["dun", "kow", "fil"].flatMap((end) => starts.map((start) => `${start}${end}`))
  return words.map((word, at) => {
    const name = `${word} ${words[(at + 7) % words.length]}`
    const code = `OY-10-B01-A${at < 100 ? "A" : "B"}-${String(at % 100).padStart(2, "0")}`
    return [code, "Olomi", `${at + 1} ${name} Lane, Olomi`]
  })
}

export const hardNamesDirectory = (): Directory => addressDirectory(places, [...units, ...others()])
