/** The parts of an address that the directory knows from elsewhere, and the part that it does not: the name. */
import { foldName } from "./foldText.ts"

export interface AddressParts {
  /** A street, a school, a hospital; empty if the address is known by its locality only. */
  readonly name: string
  /** What stands between name or locality and LGA: mostly a ward. */
  readonly context: string
}

/** The folded names of where an address lies. */
export interface AddressPlaces {
  readonly locality: string
  readonly lga: string
  readonly state: string
}

/** Splits `Newtrend P S, Osusu, Ogbor I Ward, Aba North, Abia`, without house number. Any part may be missing. */
export const splitStoredAddress = (address: string, places: AddressPlaces): AddressParts => {
  const parts = address.split(",").map((part) => part.trim())
  const folded = parts.map(foldName)
  let end = folded.length
  while (end > 0 && folded[end - 1] === "") end--
  if (end > 0 && (folded[end - 1] === places.state || folded[end - 1] === `${places.state} state`)) end--
  if (end > 0 && folded[end - 1] === places.lga && !(end === 1 && places.lga === places.locality)) end--
  const at = places.locality === "" ? -1 : folded.lastIndexOf(places.locality, end - 1)
  if (at >= 0 && at < end) return { name: joined(parts, 0, at), context: joined(parts, at + 1, end) }
  const isWard = end > 1 && (folded[end - 1] as string).endsWith(" ward")
  const nameEnd = isWard ? end - 1 : end
  return { name: joined(parts, 0, nameEnd), context: joined(parts, nameEnd, end) }
}

const joined = (parts: ReadonlyArray<string>, start: number, end: number): string =>
  parts
    .slice(start, end)
    .filter((part) => part !== "")
    .join(", ")
