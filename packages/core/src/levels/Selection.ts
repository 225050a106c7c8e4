/**
 * PostcodeSelection version 1: the payload that every widget SDK delivers to its host app, the same on all platforms.
 *
 * Source: specification, "PostcodeSelection", with two additions: `address`, and the source `discover`. Test vectors in
 * `vectors/selection.json`, the form in `vectors/selection.schema.json`.
 */

import type { PartialPostcode, Postcode, Segments } from "../postcode/Postcode.ts"
import { type AccessLevel, coordinatesLevel, searchNamesLevel } from "./AccessLevel.ts"

/** Where a picked postcode comes from: a saved bookmark, a search, or a unit found around the user. */
export type SelectionSource = "bookmark" | "search" | "discover"

/** All values of `SelectionSource`. */
export const selectionSources: ReadonlyArray<SelectionSource> = ["bookmark", "search", "discover"]

/** How deep a selection goes: 1 state, 2 LGA, 3 district, 4 area, 5 unit. */
export type SelectionLevel = 1 | 2 | 3 | 4 | 5

/** Names by segment. A unit has none. */
export type SelectionNames = { readonly [name in Exclude<keyof Segments, "unit">]: string | null }

/** The payload. */
export interface PostcodeSelection {
  readonly version: 1
  /** Compact format. */
  readonly postcode: string
  /** Canonical format. */
  readonly formatted: string
  readonly level: SelectionLevel
  /** Segments deeper than the level are null. */
  readonly segments: { readonly [name in keyof Segments]: string | null }
  /**
   * Null where deeper than the level or unknown. Those of state and LGA are public; others only if the key is served
   * level 2.
   */
  readonly names: SelectionNames
  /** Only of a unit, and if the key is served level 2. */
  readonly address?: string
  /** WGS 84 degrees; both or neither. Only if the key is served point geometry. */
  readonly latitude?: number
  readonly longitude?: number
  readonly source: SelectionSource
  /** Only for bookmarks. */
  readonly label?: string
}

/** The picked postcode, and the level that the key is served. */
export interface Picked {
  /** A whole postcode, or a partial one if the user stopped earlier. */
  readonly code: Postcode | PartialPostcode
  /** The level that lookups of the key are served at. */
  readonly served_level: AccessLevel
  readonly names?: Partial<SelectionNames>
  readonly address?: string
  /** WGS 84 degrees. */
  readonly coordinate?: { readonly lat: number; readonly lon: number }
  readonly source: SelectionSource
  readonly label?: string
}

/**
 * Builds the payload. The names of state and LGA are public. Other names and the address need level 2, coordinates
 * level 5; address and coordinates need a whole unit.
 */
export const makeSelection = (picked: Picked): PostcodeSelection => {
  const [state = null, lga = null, district = null, area = null, unit = null] = picked.code.split("-")
  const level = picked.code.split("-").length as SelectionLevel
  const { address, coordinate, names, served_level } = picked
  const details = served_level >= searchNamesLevel
  return {
    version: 1,
    postcode: picked.code.replaceAll("-", ""),
    formatted: picked.code,
    level,
    segments: { state, lga, district, area, unit },
    names: {
      state: names?.state ?? null,
      lga: lga === null ? null : (names?.lga ?? null),
      district: district === null || !details ? null : (names?.district ?? null),
      area: area === null || !details ? null : (names?.area ?? null)
    },
    ...(level === 5 && details && address !== undefined && { address }),
    ...(level === 5 &&
      coordinate !== undefined &&
      served_level >= coordinatesLevel && { latitude: coordinate.lat, longitude: coordinate.lon }),
    source: picked.source,
    ...(picked.source === "bookmark" && picked.label !== undefined && { label: picked.label })
  }
}
