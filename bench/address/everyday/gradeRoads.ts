/**
 * Roads that are named after another town, and bare towns: the place after a road decides, and a town with several LGAs
 * means all of them.
 */
import { searchAddress } from "@postcode/core/AddressSearch"
import type { Directory } from "@postcode/core/Directory"
import { groupBy } from "../groupBy.ts"
import { Lot } from "../texts/Lot.ts"

export interface RoadGrade {
  readonly texts: number
  readonly right: number
  readonly wrong: number
  /** Wrong, with high confidence. */
  readonly wrongHigh: number
  /** A unit for a text without a house number. */
  readonly units: number
  readonly failed: ReadonlyArray<string>
}

/** A town: the word or words that its LGAs share. */
interface Town {
  readonly name: string
  readonly codes: ReadonlyArray<string>
  readonly states: ReadonlyArray<string>
  readonly point: readonly [lat: number, lng: number]
}

const wordings: ReadonlyArray<(road: string, town: string, state: string) => string> = [
  (road, town) => `${road} Road, ${town}`,
  (road, town, state) => `${road} Road, ${town}, ${state} State`,
  (road, town) => `${town}-${road} Expressway, ${town}`,
  (road, town) => `KM 14 ${town}-${road} Road, ${town}`,
  (road, town) => `Old ${road} Rd, ${town}`,
  (road, town, state) => `${road} Street, ${town} ${state}`
]

/** @param count number of pairs of neighbouring towns */
export const gradeRoads = (directory: Directory, count: number): RoadGrade => {
  const lot = new Lot(23)
  const towns = townsOf(directory).filter(({ states }) => states.length === 1)
  const texts = lot
    .shuffled(towns)
    .slice(0, count)
    .flatMap((town) => {
      const near = towns.filter(({ name }) => name !== town.name).sort((a, b) => distance(a, town) - distance(b, town))
      const road = lot.one(near.slice(0, 4)).name
      return wordings.map((write) => ({ text: write(road, town.name, town.states[0] as string), town }))
    })
  const graded = texts.map(({ text, town }) => {
    const { code, confidence } = searchAddress(directory, text)
    const isRight = code !== null && (town.codes.some((lga) => code.startsWith(lga)) || isCommon(code, town.codes))
    const isWrong = code !== null && !isRight && !town.codes.some((lga) => lga.startsWith(code))
    const isUnit = code !== null && code.length === 15
    return { text, code, confidence, isRight, isWrong, isUnit }
  })
  return {
    texts: graded.length,
    right: graded.filter(({ isRight }) => isRight).length,
    wrong: graded.filter(({ isWrong }) => isWrong).length,
    wrongHigh: graded.filter(({ confidence, isWrong }) => isWrong && confidence === "high").length,
    units: graded.filter(({ isUnit }) => isUnit).length,
    failed: graded
      .filter(({ isRight }) => !isRight)
      .sort((a, b) => Number(b.isWrong) - Number(a.isWrong))
      .map(({ code, isWrong, text }) => `${text} -> ${code}${isWrong ? " WRONG" : ""}`)
  }
}

/** Every town of several LGAs, bare and with its state. */
export const gradeTowns = (directory: Directory): RoadGrade => {
  const towns = townsOf(directory).filter(({ codes }) => codes.length > 1)
  const texts = towns.flatMap(({ codes, name, states }) => {
    const stateCode = (state: string) =>
      directory.places.find(({ code, name }) => code.length === 2 && name === state)?.code ?? ""
    return [
      { text: name, codes },
      ...states.flatMap((state) => {
        const inState = codes.filter((code) => code.startsWith(stateCode(state)))
        return [`${name}, ${state}`, `${name} ${state} State`].map((text) => ({ text, codes: inState }))
      })
    ]
  })
  const graded = texts.map(({ codes, text }) => {
    const { candidates, code, confidence } = searchAddress(directory, text, { limit: 20 })
    const first = codes[0] as string
    const isSpread = codes.some((lga) => lga.slice(0, 2) !== first.slice(0, 2))
    const offers = codes.every((lga) => candidates.some((one) => one.code.startsWith(lga) || lga.startsWith(one.code)))
    const isRight = isSpread ? code === null && offers : code !== null && codes.every((lga) => lga.startsWith(code))
    const isWrong = code !== null && !codes.some((lga) => lga.startsWith(code) || code.startsWith(lga))
    return { text, code, confidence, isRight, isWrong }
  })
  return {
    texts: graded.length,
    right: graded.filter(({ isRight }) => isRight).length,
    wrong: graded.filter(({ isWrong }) => isWrong).length,
    wrongHigh: graded.filter(({ confidence, isWrong }) => isWrong && confidence === "high").length,
    units: 0,
    failed: graded
      .filter(({ isRight }) => !isRight)
      .sort((a, b) => Number(b.isWrong) - Number(a.isWrong))
      .map(({ code, isWrong, text }) => `${text} -> ${code}${isWrong ? " WRONG" : ""}`)
  }
}

const isCommon = (code: string, codes: ReadonlyArray<string>): boolean =>
  codes.length > 1 && codes.every((lga) => lga.startsWith(code))

const parts = /(?: (?:North|South|East|West|Central|Municipal|[IV]+|\d+))+$/

const townsOf = (directory: Directory): ReadonlyArray<Town> => {
  const states = new Map(
    directory.places.flatMap(({ code, name }) => (code.length === 2 ? [[code as string, name]] : []))
  )
  const stateNames = new Set(states.values())
  const points = pointsOf(directory)
  const lgas = directory.places.filter(({ code, name }) => code.length === 5 && !name.includes("/"))
  return [...groupBy(lgas, ({ name }) => name.replace(parts, ""))].flatMap(([name, some]) => {
    const point = points.get(some[0]?.code ?? "")
    if (point === undefined || stateNames.has(name)) return []
    const codes = some.map(({ code }) => code as string)
    return [{ name, codes, states: [...new Set(codes.map((code) => states.get(code.slice(0, 2)) ?? ""))], point }]
  })
}

/** A point in each LGA. */
const pointsOf = (directory: Directory): ReadonlyMap<string, Town["point"]> => {
  const points = new Map<string, Town["point"]>()
  for (let id = 0; id < directory.size; id++) {
    const lga = directory.postcodeAt(id).slice(0, 5)
    if (points.has(lga)) continue
    const { lat, lon } = directory.coordinateAt(id)
    points.set(lga, [lat, lon])
  }
  return points
}

const distance = (a: Town, b: Town): number => Math.hypot(a.point[0] - b.point[0], a.point[1] - b.point[1])
