// Address search over many changed addresses, beside a directory that is built anew.
import { searchAddress } from "@postcode/core/AddressSearch"
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { ChangedAddresses, LiveDirectory, type UnitChange } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { demoDirectory } from "@postcode/demo"
import { describe, expect, it } from "vitest"
import { randomBelow } from "../../../test/RandomNumbers.ts"

const units = 20_000
const changed = 200

interface Unit {
  readonly active: boolean
  readonly attributes: UnitAttributes
}

const { attributes, directory } = demoDirectory({ units, addresses: true })
const below = randomBelow(5)

/** Changes 1 % of the addresses, half of them to those of units that do not exist any more. */
const change = () => {
  const live = new LiveDirectory(directory)
  const addresses = new ChangedAddresses(live)
  const model = new Map<Postcode, Unit>()
  for (let id = 0; id < directory.size; id++) {
    const postcode = directory.postcodeAt(id)
    model.set(postcode, { active: directory.isActive(id), attributes: attributes(id) })
  }
  const changes: Array<UnitChange> = []
  const touched: Array<Postcode> = []
  const anyUnit = () => directory.postcodeAt(below(directory.size))
  while (touched.length < changed) {
    const [postcode, other] = [anyUnit(), anyUnit()]
    if (postcode === other || touched.includes(postcode) || touched.includes(other)) continue
    const known = (model.get(other) as Unit).attributes
    const { locality_name = "", recent_address = "" } =
      touched.length % 2 === 0 ? known : { ...known, recent_address: `${1 + below(90)} Zungeru Crescent` }
    changes.push({ change: "retire", postcode: other }, { change: "reactivate", postcode })
    model.set(other, { active: false, attributes: known })
    model.set(postcode, { active: true, attributes: { locality_name, recent_address } })
    addresses.take(postcode, locality_name, recent_address)
    touched.push(postcode)
  }
  expect(live.apply(changes).ok).toBe(true)
  return { addresses, live, model, touched }
}

const build = (model: ReadonlyMap<Postcode, Unit>): Directory => {
  const builder = new DirectoryBuilder({ addresses: true })
  for (const place of directory.places) builder.addPlace(place)
  for (const [postcode, unit] of model) builder.addUnit(postcode, { lat: 0, lon: 0 }, unit.active, unit.attributes)
  const built = builder.build()
  if (!built.ok) throw new Error("a postcode came twice")
  return new Directory(built.directory.contents)
}

describe("address search over changes of 1 %", () => {
  it("has the same results as over a directory that is built anew", async () => {
    const { addresses, live, model, touched } = change()
    await addresses.refresh()
    const rebuilt = build(model)
    const asked = [...touched, ...Array.from({ length: 800 }, () => directory.postcodeAt(below(directory.size)))]
    const different: Array<unknown> = []
    for (const postcode of asked) {
      const { active, attributes } = model.get(postcode) as Unit
      const { lga_name, state_name } = directory.placeNames(postcode)
      const { locality_name = "", recent_address = "" } = attributes
      const around = [locality_name, lga_name, state_name].join(", ")
      const street = recent_address.replace(/^[^,]*\d\S* /, "")
      for (const text of [`${recent_address}, ${around}`, `${street}, ${around}`, around]) {
        const [answer, expected] = [live.current, rebuilt].map((of) => searchAddress(of, text))
        if (!active) expect(answer?.candidates.map(({ code }) => code)).not.toContain(postcode)
        if (answer?.code !== expected?.code) different.push([text, answer, expected])
      }
    }
    expect(different).toEqual([])
  })
})
