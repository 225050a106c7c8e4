/**
 * Access levels 1 to 5: how much of a unit a caller sees. They are cumulative.
 *
 * Source: specification, "Access levels (cumulative)"; the same table in `vectors/levels.csv`.
 */

import { attributeEntry, attributeNames, type ShownAttributes } from "./UnitAttributes.ts"

/** How much of a unit is shown: 1 (validity only) to 5 (coordinates as well). */
export type AccessLevel = 1 | 2 | 3 | 4 | 5

/** All levels, ascending. */
export const accessLevels: ReadonlyArray<AccessLevel> = [1, 2, 3, 4, 5]

/** The lowest level that shows where a unit is. A bundle that needs no more than this number does without the table. */
export const coordinatesLevel = 5

/** What a lookup can show of a unit: a property of its answer. */
export type Attribute = "valid" | "status" | keyof ShownAttributes | "point_geometry"

/** The lowest level that shows a property of the answer. Those of attributes follow from `unitAttributes`. */
export const minimumLevel: Readonly<Record<Attribute, AccessLevel>> = /* @__PURE__ */ minimumLevels()

/** The level from which search results carry names and addresses. */
export const searchNamesLevel: AccessLevel = 2

/**
 * The highest level at which a lookup with a publishable key is served. Such a key is readable on every page that uses it,
 * so building data and coordinates are not served to it directly.
 */
export const publishableLookupLevel: AccessLevel = 2

/**
 * The highest level of lookups in a widget session. The published answer has no building data and no coordinates: a page
 * shows an address, and learns where a unit is only by searching there.
 */
export const sessionLookupLevel: AccessLevel = 3

/**
 * Whether a level shows an attribute.
 *
 * @example shows(2, "building_use_status") // false
 */
export const shows = (level: AccessLevel, attribute: Attribute): boolean => level >= minimumLevel[attribute]

/** The attributes of a unit in a response. An unknown value is absent, or left out of its object. */
export type Shown = { readonly [A in Attribute]?: unknown }

/**
 * The highest level that a response has an attribute of. An empty object is not an attribute; validity only is level 1.
 *
 * @example shownLevel({ valid: true, administrative_address: { zone: "South West" }, other_building_info: {} }) // 2
 */
export const shownLevel = (answer: Shown): AccessLevel => {
  let level: AccessLevel = 1
  for (const name in minimumLevel) {
    const attribute = name as Attribute
    if (minimumLevel[attribute] > level && isKnown(answer[attribute])) level = minimumLevel[attribute]
  }
  return level
}

/**
 * A level capped at another.
 *
 * @example cap(4, 2) // 2
 */
export const cap = (level: AccessLevel, at: AccessLevel): AccessLevel => (level < at ? level : at)

const isKnown = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== undefined

function minimumLevels(): Readonly<Record<Attribute, AccessLevel>> {
  const ofAttributes = attributeNames.map(attributeEntry).map(({ level, path: [property] }) => [property, level])
  return { valid: 1, status: 1, ...Object.fromEntries(ofAttributes), point_geometry: coordinatesLevel }
}
