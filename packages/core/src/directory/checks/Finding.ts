/** What a look at a directory finds beside rows that are well formed. */

/** The kinds of findings, in the order in which they are reported, with what each means. */
export const findingKinds = {
  null_island: "at latitude 0 and longitude 0",
  exchanged: "latitude and longitude are exchanged: the other way round they fit",
  outside: "outside the bounds of the directory",
  far_from_place: "far from where the LGA or state is",
  far_from_area: "far from the other units of the area",
  far_from_district: "far from all other units of the district",
  far_from_lga: "far from the other units of the LGA",
  far_from_state: "far from the other units of the state",
  other_state: "among the units of another state",
  imprecise: "coordinates with too few decimals, or not in decimal degrees",
  crowded: "more than 50 units at one point",
  repeated_address: "the address of another unit",
  unnamed_place: "the file of places has no name for the state or LGA",
  empty_place: "the file of places names states that have no unit: that of units may be cut off",
  cut_off: "the file of units may be cut off at its end",
  similar_names: "names that differ only in case, blanks or accents",
  no_successor: "retired without a successor, which most retired units of the area have",
  successor_circle: "successors that lead back to the unit"
} as const

/** The name of a kind of findings. */
export type FindingKind = keyof typeof findingKinds

/** Kinds of units whose location cannot be right. */
export const implausibleKinds: ReadonlyArray<FindingKind> = [
  "null_island",
  "exchanged",
  "outside",
  "far_from_place",
  "far_from_area",
  "far_from_district",
  "far_from_lga",
  "far_from_state",
  "other_state"
]

/** The findings of one kind. */
export interface Findings {
  readonly kind: FindingKind
  /** The units, by their ids in ascending order; the first unit of a place. −1: no unit, but a place. */
  readonly ids: ReadonlyArray<number>
  /** About the finding at this index. */
  readonly detail: (index: number) => string
}
