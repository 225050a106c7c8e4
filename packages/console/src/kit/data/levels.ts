/** The fields of each access level in words, from core's table. */
import { type AccessLevel, type Attribute, minimumLevel } from "@postcode/core/AccessLevel"

/** What an access level is, for the screens where one is selected. */
export const levelMeaning =
  "An access level decides what a response contains about a unit. Each level includes the lower levels."

/** What a level adds to the previous one: `The coordinates`. */
export const addedAt = (level: AccessLevel): string => {
  const words = attributes.filter((attribute) => minimumLevel[attribute] === level).map((attribute) => names[attribute])
  const text = words.join("; ")
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const names: Readonly<Record<Attribute, string>> = {
  valid: "whether the postcode exists",
  status: "whether it is retired, and its successor",
  administrative_address: "state, LGA, locality and zone",
  recent_house_address: "the recent house address",
  building_use_status: "what the building is used for",
  other_building_info: "the building’s type, owner and delivery point",
  point_geometry: "the coordinates"
}

const attributes = Object.keys(minimumLevel) as ReadonlyArray<Attribute>
