/**
 * Uses, types and owners of the demonstration's buildings, as frequencies. Owners are kinds of owners, never names.
 */
import { child, pick } from "./Hash.ts"

/** The surroundings of a lot, which determine its building. */
export type Setting = "main_street" | "city" | "country"

export interface Building {
  readonly use: string
  readonly type: string
  readonly owner: string
}

/** The building on a lot of this hash. */
export const buildingOn = (lot: number, setting: Setting): Building => {
  const use = draw(uses[setting], child(lot, 1))
  const { owners, types } = buildings[use] ?? vacant
  return { use, type: draw(types, child(lot, 2)), owner: draw(owners, child(lot, 3)) }
}

/** The building on a lot with flats of this hash: its units share one building, use and owner. */
export const blockOfFlatsOn = (lot: number): Building => ({
  use: pick(child(lot, 1), 100) < 85 ? "residential" : "mixed",
  type: "block of flats",
  owner: draw(flatOwners, child(lot, 3))
})

/** Percentages by value; their order decides which hash draws which value. */
type Frequencies = Readonly<Record<string, number>>

const draw = (frequencies: Frequencies, hash: number): string => {
  let left = pick(hash, 100)
  for (const value in frequencies) {
    left -= frequencies[value] ?? 0
    if (left < 0) return value
  }
  return ""
}

const uses: Readonly<Record<Setting, Frequencies>> = {
  main_street: { residential: 44, commercial: 30, mixed: 14, institutional: 7, industrial: 2, vacant: 3 },
  city: { residential: 74, commercial: 7, mixed: 7, institutional: 4, industrial: 3, vacant: 5 },
  country: { residential: 78, commercial: 5, mixed: 4, institutional: 6, agricultural: 4, vacant: 3 }
}

const vacant: { readonly types: Frequencies; readonly owners: Frequencies } = {
  types: { "uncompleted building": 55, "empty plot": 30, "disused building": 15 },
  owners: { private: 75, company: 10, "local government": 8, "state government": 7 }
}

const buildings: Readonly<Record<string, { readonly types: Frequencies; readonly owners: Frequencies }>> = {
  residential: {
    types: {
      bungalow: 38,
      "compound house": 22,
      "tenement house": 15,
      duplex: 12,
      "semi-detached house": 7,
      "terraced house": 6
    },
    owners: { private: 84, family: 10, "housing corporation": 3, company: 3 }
  },
  commercial: {
    types: {
      shop: 48,
      "office building": 12,
      "market building": 10,
      restaurant: 10,
      hotel: 6,
      "filling station": 6,
      bank: 4,
      "shopping plaza": 4
    },
    owners: { private: 62, company: 28, "local government": 10 }
  },
  mixed: {
    types: { "shop with dwelling": 70, "office with dwelling": 15, "workshop with dwelling": 15 },
    owners: { private: 85, family: 8, company: 7 }
  },
  institutional: {
    types: {
      church: 24,
      mosque: 22,
      "primary school": 20,
      "secondary school": 9,
      "health centre": 9,
      "government office": 8,
      "police station": 4,
      "town hall": 4
    },
    owners: {
      "religious body": 38,
      "local government": 24,
      "state government": 18,
      community: 10,
      "federal government": 10
    }
  },
  industrial: {
    types: { workshop: 45, warehouse: 28, "sachet water plant": 12, factory: 10, sawmill: 5 },
    owners: { company: 55, private: 43, "federal government": 2 }
  },
  agricultural: {
    types: { "farm house": 45, "poultry house": 25, barn: 20, "produce store": 10 },
    owners: { private: 70, family: 20, cooperative: 10 }
  },
  vacant
}

const flatOwners: Frequencies = {
  private: 68,
  company: 14,
  "housing corporation": 12,
  "federal government": 3,
  "state government": 3
}
