/** The words by which people describe a place from another one. */
import type { Lot } from "./Lot.ts"

/** `Shop 4, behind`; what follows is the landmark. */
export const relation = (lot: Lot): string => lot.one(wordings)

export const beforeLandmark = (lot: Lot): string =>
  lot.one([
    "",
    "",
    "",
    "Shop 4, ",
    "Blue gate ",
    "Flat 3 ",
    "Mama Ngozi store ",
    "yellow house ",
    "No 7 ",
    "2nd building, "
  ])

const wordings = [
  "opposite",
  "opp.",
  "opp",
  "directly opposite",
  "behind",
  "back of",
  "at the back of",
  "beside",
  "besides",
  "near",
  "close to",
  "by",
  "off",
  "after",
  "just after",
  "before",
  "adjacent",
  "adjacent to",
  "next to",
  "in front of",
  "facing",
  "along",
  "around",
  "2 houses after",
  "few meters from",
  "100m from",
  "two streets away from",
  "not far from",
  "sharing fence with"
]
