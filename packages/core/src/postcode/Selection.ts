/**
 * PostcodeSelection version 1: what every widget SDK delivers to its host app, the same on all platforms.
 *
 * Source: specification, "PostcodeSelection"; golden vectors in `vectors/selection.json`.
 */

import type { Coordinate } from "../directory/space/Coordinate.ts"
import { type AccessLevel, coordinatesLevel, searchNamesLevel } from "../lookup/AccessLevel.ts"
import type { PartialPostcode, Postcode, Segments } from "./Postcode.ts"

/** How deep a selection goes: 1 state, 2 LGA, 3 district, 4 area, 5 unit. */
export type SelectionLevel = 1 | 2 | 3 | 4 | 5

/** Names by segment, where the key may see them. A unit has none. */
export type SelectionNames = { readonly [name in Exclude<keyof Segments, "unit">]: string | null }

/** What a picker delivers, on every platform. */
export interface PostcodeSelection {
  readonly version: 1
  /** Compact rendering. */
  readonly postcode: string
  /** Dashed rendering. */
  readonly formatted: string
  readonly level: SelectionLevel
  /** Segments deeper than the level are null. */
  readonly segments: { readonly [name in keyof Segments]: string | null }
  /** Names deeper than the level, unknown, or not to be seen by the key, are null. */
  readonly names: SelectionNames
  /** WGS 84 degrees; both or neither, only where the key is served point geometry. */
  readonly latitude?: number
  readonly longitude?: number
  readonly source: "bookmark" | "search"
  /** Set for bookmarks only. */
  readonly label?: string
}

/** What was picked, and how much of it the key is served. */
export interface Picked {
  /** A whole postcode, or a partial one where the user stopped earlier. */
  readonly code: Postcode | PartialPostcode
  /** The level that lookups of the key are served at. */
  readonly served_level: AccessLevel
  readonly names?: Partial<SelectionNames>
  readonly coordinate?: Coordinate
  readonly source: "bookmark" | "search"
  readonly label?: string
}

/**
 * The payload for what was picked. Decides what the key may see: names from level 2, coordinates at level 5 and only of
 * a unit.
 */
export const makeSelection = (picked: Picked): PostcodeSelection => {
  const [state = null, lga = null, district = null, area = null, unit = null] = picked.code.split("-")
  const level = picked.code.split("-").length as SelectionLevel
  const names = picked.served_level >= searchNamesLevel ? picked.names : undefined
  return {
    version: 1,
    postcode: picked.code.replaceAll("-", ""),
    formatted: picked.code,
    level,
    segments: { state, lga, district, area, unit },
    names: {
      state: names?.state ?? null,
      lga: lga === null ? null : (names?.lga ?? null),
      district: district === null ? null : (names?.district ?? null),
      area: area === null ? null : (names?.area ?? null)
    },
    ...(level === 5 &&
      picked.coordinate !== undefined &&
      picked.served_level >= coordinatesLevel && {
        latitude: picked.coordinate.lat,
        longitude: picked.coordinate.lon
      }),
    source: picked.source,
    ...(picked.source === "bookmark" && picked.label !== undefined && { label: picked.label })
  }
}
