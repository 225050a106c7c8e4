/**
 * Names of public buildings and businesses, composed of what such buildings are commonly called, their locality, saints
 * and common words. Several buildings of one district may have the same name, as branches do.
 */
import { child, pick } from "../Hash.ts"

/** Whether the building on a lot of this hash is known by a name in place of a house number. */
export const isNamed = (type: string, lot: number): boolean =>
  formsByType[type] !== undefined && pick(child(lot, 4), 100) < namedOf100

/**
 * The name of a named building. Its type is one of `DemoUses.ts`, such as `primary school`; `district` is the hash of
 * its district.
 */
export const buildingName = (type: string, lot: number, district: number, locality: string): string => {
  const brand = pick(child(lot, 6), 2) === 0 ? district : lot
  return choose(formsByType[type] ?? [], child(lot, 5))
    .replace("{locality}", locality)
    .replace("{saint}", choose(saints, child(lot, 7)))
    .replace("{brand}", choose(brands, child(brand, 21)))
}

const namedOf100 = 12

const choose = (parts: ReadonlyArray<string>, hash: number): string => parts[pick(hash, parts.length)] ?? ""

const formsByType: Readonly<Record<string, ReadonlyArray<string>>> = {
  church: ["St {saint}'s Catholic Church", "St {saint}'s Anglican Church", "Baptist Church", "Methodist Church"],
  mosque: ["{locality} Central Mosque", "Central Mosque", "Juma'at Mosque"],
  "primary school": [
    "{locality} Primary School",
    "LGEA Primary School {locality}",
    "Central Primary School",
    "St {saint}'s Primary School",
    "{brand} Nursery and Primary School"
  ],
  "secondary school": [
    "Government Secondary School {locality}",
    "Government Day Secondary School {locality}",
    "Community Secondary School {locality}",
    "{locality} Grammar School",
    "{brand} College"
  ],
  "health centre": [
    "PHC {locality}",
    "{locality} Primary Health Centre",
    "Comprehensive Health Centre {locality}",
    "{brand} Clinic"
  ],
  "government office": ["{locality} Post Office", "Local Government Secretariat", "Area Court {locality}"],
  "police station": ["{locality} Police Station", "Divisional Police Headquarters {locality}"],
  "town hall": ["{locality} Town Hall", "Community Hall"],
  "market building": ["{locality} Market", "Main Market", "{locality} Central Market"],
  hotel: ["{brand} Hotel", "{brand} Suites", "{brand} Guest House"],
  "filling station": ["{brand} Filling Station"],
  bank: ["{locality} Microfinance Bank"],
  "shopping plaza": ["{brand} Plaza", "{brand} Shopping Complex"]
}

const words = (text: string): ReadonlyArray<string> => text.split(" ")

const saints = words("Peter Paul Mary John Michael Patrick Theresa Augustine Luke James Joseph Stephen Andrew Thomas")

const brands: ReadonlyArray<string> = [
  ...words("Unity Royal Divine Hope Wisdom Glory Greenfield Sunrise Pearl Emerald Crystal Golden Victory Mercy Peace"),
  ...words("Excellence Heritage Liberty Pinnacle Summit Diamond Harmony Grace Star Noble Premier Fountain Citadel"),
  "Bright Future",
  "Blue Sky",
  "Palm View",
  "New Era"
]
