/** The address of an active unit in parts. */

export interface AddressRow {
  readonly postcode: string
  /** What stands before the locality: a name, or a house number and its street. Empty if there is none. */
  readonly name: string
  readonly locality: string
  /** With the word `Ward`; empty if there is none. */
  readonly ward: string
  readonly lga: string
  readonly state: string
  /** The complete address, with the LGA and the state. */
  readonly text: string
}

/** The columns of a unit and the names of its LGA and state. */
export interface AddressColumns {
  readonly postcode: string
  readonly locality_name: string | undefined
  readonly recent_address: string | undefined
  readonly lga: string
  readonly state: string
}

/** Splits `Name, Locality, Some Ward, LGA, State`, from which any part may be missing. */
export const splitAddress = ({ lga, locality_name, postcode, recent_address, state }: AddressColumns): AddressRow => {
  const locality = locality_name ?? ""
  let parts = (recent_address ?? "").split(", ").filter((part) => part !== "")
  if (parts.at(-1) === state) parts = parts.slice(0, -1)
  if (parts.at(-1) === lga) parts = parts.slice(0, -1)
  const ward = parts.at(-1)?.endsWith(" Ward") === true ? (parts.at(-1) as string) : ""
  const beforeWard = (ward === "" ? parts : parts.slice(0, -1)).join(", ")
  const name = withoutEnd(beforeWard, locality)
  const text = [name, name.includes(locality) ? "" : locality, ward, lga, state]
    .filter((part) => part !== "")
    .join(", ")
  return { postcode, name, locality, ward, lga, state, text }
}

const withoutEnd = (text: string, end: string): string => {
  if (text === end) return ""
  return end !== "" && text.endsWith(`, ${end}`) ? text.slice(0, -end.length - 2) : text
}
