/**
 * Names of streets: those that most towns share (`Hospital Road`, `Ahmadu Bello Way`), and others called after given
 * names and things. They do not refer to particular places or persons.
 */
import { child, mix, pick } from "../Hash.ts"
import { vocabularyOf } from "./RegionNames.ts"

/**
 * The name of a street, given its number in its district and the district's hash. Streets with near numbers have
 * different names.
 */
export const streetName = (state: string, district: number, street: number): string => {
  const start = child(district, 14)
  if (street % 6 === 0) return inSteps(commonest, start, street / 6)
  if (street % 6 === 3) return inSteps(common, start, (street - 3) / 6)
  const hash = child(start, street)
  const kind = streetKinds[pick(hash, streetKinds.length)] ?? ""
  if (pick(mix(hash), 100) < 35) return `${inSteps(things, mix(start), street)} ${kind}`
  const { people, titles } = vocabularyOf(state)
  const title = pick(child(hash, 1), 100) < 25 ? (titles[pick(child(hash, 2), titles.length)] ?? "") : ""
  return `${title}${inSteps(people, mix(start), street)} ${kind}`
}

/**
 * Counts from a random start, so that no name repeats before all were used. Neighbours in the list are not neighbours on
 * the ground. No list has a length that is a multiple of the step.
 */
const inSteps = (names: ReadonlyArray<string>, start: number, index: number): string =>
  names[(pick(start, names.length) + step * index) % names.length] ?? ""

const step = 11

const words = (text: string): ReadonlyArray<string> => text.split(" ")

const streetKinds = words(
  "Street Street Street Street Street Road Road Road Close Close Avenue Avenue Crescent Crescent Lane Way Drive"
)

const commonest: ReadonlyArray<string> = [
  "Ahmadu Bello Way",
  "Airport Road",
  "Church Street",
  "Hospital Road",
  "Independence Way",
  "Market Road",
  "Mission Road",
  "Mosque Street",
  "Murtala Mohammed Way",
  "New Market Road",
  "Nnamdi Azikiwe Street",
  "Obafemi Awolowo Road",
  "Old Market Road",
  "Post Office Road",
  "Ring Road",
  "School Road",
  "Station Road"
]

const common: ReadonlyArray<string> = [
  "Aminu Kano Road",
  "Azikiwe Road",
  "Bank Road",
  "Barracks Road",
  "Bishop Street",
  "Church Road",
  "Club Road",
  "College Road",
  "Court Road",
  "First Avenue",
  "Second Avenue",
  "Third Avenue",
  "Government House Road",
  "Herbert Macaulay Street",
  "Ibrahim Taiwo Road",
  "Kano Street",
  "Lagos Street",
  "Market Street",
  "Mission Street",
  "Mosque Road",
  "Palace Road",
  "Polytechnic Road",
  "Prison Road",
  "Railway Road",
  "School Street",
  "Secretariat Road",
  "Shehu Shagari Way",
  "Stadium Road",
  "Tafawa Balewa Road",
  "Unity Road",
  "Water Works Road",
  "Yakubu Gowon Way"
]

const things: ReadonlyArray<string> = [
  ...words("Independence Palm River Hill Garden Library Republic Liberty Peace Harmony Progress Mango Cashew Bamboo"),
  ...words("Neem Acacia Hibiscus Sunrise Pioneer Community Dispensary Borehole Cocoa Baobab Orchard Museum Freedom"),
  ...words("Iroko Eagle Crown Victory Gold Lake Valley Rainbow"),
  "Health Centre",
  "Water Board"
]
