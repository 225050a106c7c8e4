import { unpack } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { describe, expect, it } from "vitest"
import { houseNumber } from "../src/addresses/HouseNumbers.ts"
import { knownLocalities } from "../src/addresses/WellKnownPlaces.ts"
import { demoAttributes } from "../src/DemoAttributes.ts"
import { areaStart, planDistricts, planLgas } from "../src/DemoPlan.ts"
import { demoUnits } from "../src/DemoUnits.ts"
import { nigeriaPlaces } from "../src/NigeriaPlaces.ts"

interface House {
  readonly postcode: Postcode
  readonly locality: string
  readonly address: string
  /** The street with its locality, and the number on it; both empty for a building that is known by its name. */
  readonly street: string
  readonly number: string
}

const form = /^(?:Flat [0-9]+, )?(?:Plot |Block )?([0-9]+[AB]?),? (?:Flat [0-9]+, )?(.+)$/

/** The houses of one in `parts` runs of 16,384 units. */
const housesOf = (size: { readonly units: number; readonly seed: number }, parts = 1): ReadonlyArray<House> => {
  const attributesOf = demoAttributes(size.seed)
  const houses: Array<House> = []
  let run = 0
  for (const { codes, count } of demoUnits(size)) {
    if (run++ % parts !== 0) continue
    for (const code of codes.subarray(0, count)) {
      const postcode = unpack(code)
      const { locality_name: locality = "", recent_address: address } = attributesOf(postcode)
      if (address === undefined) continue
      const [, number = "", street = ""] = form.exec(address) ?? []
      houses.push({ postcode, locality, address, number, street })
    }
  }
  return houses
}

const houses = housesOf({ units: 1_000_000, seed: 1 }, 16)
const onStreets = houses.filter(({ street }) => street !== "")

/** The distinct values by key. */
const valuesBy = <A>(
  items: ReadonlyArray<A>,
  keyOf: (item: A) => string,
  labelOf: (item: A) => string
): Map<string, Set<string>> => {
  const groups = new Map<string, Set<string>>()
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? new Set<string>()
    groups.set(keyOf(item), group.add(labelOf(item)))
  }
  return groups
}

const lgaOf = ({ postcode }: House) => postcode.slice(0, 5)
const districtOf = ({ postcode }: House) => postcode.slice(0, 9)
const areaOf = ({ postcode }: House) => postcode.slice(0, 12)
const nameOf = ({ street }: House) => street.slice(0, street.indexOf(","))

describe("demonstration addresses", () => {
  it("are a number and a street, or a name; the locality is at the end, or in the name", () => {
    for (const { address, locality, street } of houses) {
      const isStreet = /^([A-Z][A-Za-z.-]* ){1,5}[A-Z][A-Za-z]+, [A-Z0-9].*$/.test(street)
      const isName = /^([A-Z][A-Za-z'&-]+ ?)+/.test(address) && !/[0-9]/.test(address.slice(0, 1))
      if (!isStreet && !isName) expect.unreachable(address)
      if (locality !== "" && !address.includes(locality)) expect.unreachable(`${address} in ${locality}`)
    }
  })

  it("a phrase of street and locality has 20 to 40 units", () => {
    const phrases = valuesBy(onStreets, (house) => `${lgaOf(house)} ${house.street}`, lgaOf).size
    expect(houses.length / phrases).toBeGreaterThan(20)
    expect(houses.length / phrases).toBeLessThan(40)
  })

  it("an address names one house of its LGA, with next to no exceptions", () => {
    const districts = valuesBy(onStreets, (house) => `${lgaOf(house)} ${house.address}`, districtOf)
    const ambiguous = [...districts.values()].filter((found) => found.size > 1).length
    expect(ambiguous / districts.size).toBeLessThan(0.01)
  })

  it("streets of one name are in many LGAs, and in several localities of one LGA", () => {
    const lgas = valuesBy(onStreets, nameOf, lgaOf)
    const covered = new Set(onStreets.map(lgaOf)).size
    for (const name of ["Market Road", "Church Street", "Hospital Road", "Ahmadu Bello Way"]) {
      expect(lgas.get(name)?.size, name).toBeGreaterThan(covered / 5)
    }
    const streets = valuesBy(
      onStreets,
      (house) => `${lgaOf(house)} ${nameOf(house)}`,
      ({ street }) => street
    )
    expect([...streets.values()].filter((found) => found.size > 1).length).toBeGreaterThan(100)
  })

  it("streets run through one area or several, and localities through several areas or districts", () => {
    const areas = [...valuesBy(onStreets, (house) => `${districtOf(house)} ${house.street}`, areaOf).values()]
    const share = (count: number) => areas.filter((found) => found.size === count).length / areas.length
    expect(share(1)).toBeGreaterThan(0.3)
    expect(share(2)).toBeGreaterThan(0.1)
    const named = houses.filter(({ locality }) => locality !== "")
    const places = (house: House) => `${lgaOf(house)} ${house.locality}`
    const byArea = [...valuesBy(named, places, areaOf).values()]
    expect(byArea.filter((found) => found.size > 1).length / byArea.length).toBeGreaterThan(0.3)
    const byDistrict = [...valuesBy(named, places, districtOf).values()]
    expect(byDistrict.filter((found) => found.size > 1).length).toBeGreaterThan(5)
    const byLga = [...valuesBy(named, ({ locality }) => locality, lgaOf).values()]
    expect(byLga.filter((found) => found.size > 1).length).toBeGreaterThan(10)
  })

  it("some names of buildings occur at several branches, and all kinds occur", () => {
    const named = houses.filter(({ street }) => street === "")
    expect(named.length / houses.length).toBeGreaterThan(0.005)
    expect(named.length / houses.length).toBeLessThan(0.03)
    const kinds = ["Secondary School", "Primary School", "PHC ", "Market", "Mosque", "Church", "Hotel", "Post Office"]
    for (const kind of kinds)
      expect(
        named.some(({ address }) => address.includes(kind)),
        kind
      ).toBe(true)
    const branches = valuesBy(
      named,
      (house) => `${lgaOf(house)} ${house.address}`,
      ({ postcode }) => postcode
    )
    expect([...branches.values()].filter((found) => found.size > 1).length).toBeGreaterThan(20)
    expect(houses.some(({ address }) => /^Block [0-9]+[AB]?, Flat [0-9]+, /.test(address))).toBe(true)
  })
})

describe("house numbers", () => {
  const numeric = (number: string) =>
    Number.parseInt(number, 10) + (number.match(/[AB]$/) ? number.charCodeAt(number.length - 1) / 1000 : 0)

  it("ascend along each side of a street, odd on one and even on the other", () => {
    for (let street = -500; street < 500; street++) {
      for (const side of [0, 1]) {
        let last = 0
        for (let position = 0; position < 60; position++) {
          const number = houseNumber(street * 7_919, position, side)
          if (!(numeric(number) > last) || Number.parseInt(number, 10) % 2 === side) expect.unreachable(number)
          last = numeric(number)
        }
      }
    }
  })

  it("have gaps, and suffixes where houses were added", () => {
    const numbers = Array.from({ length: 5_000 }, (_, street) => houseNumber(street * 7_919, 5, 0))
    expect(new Set(numbers).size).toBeGreaterThan(3)
    const suffixed = onStreets.filter(({ number }) => /[AB]$/.test(number)).length / onStreets.length
    expect(suffixed).toBeGreaterThan(0.01)
    expect(suffixed).toBeLessThan(0.1)
    const streets = valuesBy(
      onStreets,
      (house) => `${districtOf(house)} ${house.street}`,
      ({ number }) => number
    )
    const gaps = [...streets.values()].filter((numbers) => {
      const highest = Math.max(...[...numbers].map((number) => Number.parseInt(number, 10)))
      return highest > numbers.size + 1
    })
    expect(gaps.length / streets.size).toBeGreaterThan(0.5)
  })

  it("ascend with the postcodes of a side, along all areas of a street", () => {
    const last = new Map<string, number>()
    for (const house of onStreets) {
      const { address, number, postcode, street } = house
      if (address.includes("Flat ")) continue
      const row = postcode.slice(0, 11)
      const side = `${row} ${street} ${Number.parseInt(number, 10) % 2}`
      if (!(numeric(number) > (last.get(side) ?? 0))) expect.unreachable(`${postcode} ${address}`)
      last.set(side, numeric(number))
    }
  })
})

describe("well-known localities and streets", () => {
  const listed = nigeriaPlaces().flatMap(({ code }) =>
    knownLocalities(code).map((locality) => ({ lga: code, ...locality }))
  )

  it("are listed once for an LGA, without a stray separator", () => {
    expect(listed.length).toBeGreaterThan(200)
    for (const { lga, name, streets } of listed) {
      expect(
        listed.filter((other) => other.lga === lga && other.name === name),
        name
      ).toHaveLength(1)
      for (const text of [name, ...streets]) expect(text).toMatch(/^[A-Z][A-Za-z0-9'.]*([ -][A-Z0-9][A-Za-z0-9'.]*)*$/)
    }
  })

  it.each([774, 250_000])("of %d units, the most central one of each LGA has some", (units) => {
    const attributesOf = demoAttributes(3)
    for (const lga of planLgas({ units, seed: 3 })) {
      const { lga: number, state } = lga.settlement
      const [central] = knownLocalities(`${state}-${number}`)
      const [district] = planDistricts(lga)
      if (central === undefined || district === undefined || areaStart(district, 1) < 1) continue
      const [row, column] = [district.first_row, district.first_column].map((at) => String.fromCharCode(65 + at))
      const area = `${state}-${number}-${district.code}-${row}${column}`
      const found = Array.from(
        { length: 9 },
        (_, unit) => attributesOf(`${area}-0${unit + 1}` as Postcode).locality_name
      )
      expect(found, area).toContain(central.name)
    }
  })

  it.each([2])("of seed %d are in their LGA: an Allen Avenue in Ikeja, Victoria Island in Eti-Osa", (seed) => {
    const found = housesOf({ units: 5_000, seed })
    expect(found.some((house) => lgaOf(house) === "LA-11" && house.address.endsWith(" Allen Avenue, Ikeja"))).toBe(true)
    expect(found.some((house) => lgaOf(house) === "LA-08" && house.address.endsWith(", Victoria Island"))).toBe(true)
  })

  it("12 Allen Avenue, Ikeja, is a unit of the default directory", () => {
    expect(demoAttributes()("LA-11-B03-QD-10" as Postcode).recent_address).toBe("12 Allen Avenue, Ikeja")
  })
})
