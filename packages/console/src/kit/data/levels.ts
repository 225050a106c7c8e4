/** The fields of each access level in words, from core's table. */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { attributeEntry, attributeNames } from "@postcode/core/UnitAttributes"

/** What an access level is, for the screens where one is selected. */
export const levelMeaning =
  "An access level decides what a response contains about a unit. Each level includes the lower levels."

/** What a level adds to the previous one: `The coordinates`. */
export const addedAt = (level: AccessLevel): string => {
  const words = [
    ...(others[level] ?? []),
    ...attributeNames.map(attributeEntry).flatMap((entry) => (entry.level === level ? [entry.words] : []))
  ]
  const text = words.join("; ")
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** What a level adds besides attributes of the unit. */
const others: { readonly [Level in AccessLevel]?: ReadonlyArray<string> } = {
  1: ["whether the postcode exists", "whether it is retired, and its successor"],
  2: ["state, LGA and zone"],
  5: ["the coordinates"]
}
