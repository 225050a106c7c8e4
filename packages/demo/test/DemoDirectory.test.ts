import type { Postcode } from "@postcode/core/Postcode"
import { describe, expect, it } from "vitest"
import { demoAttributes, demoDirectory, demoUnits, nigeriaPlaces } from "../src/index.ts"

const { attributes, directory } = demoDirectory({ units: 20_000, seed: 9 })

describe("demonstration directory", () => {
  it("has the requested number of units, and a version with its size and seed", () => {
    expect(directory.size).toBe(20_000)
    expect(directory.version).toBe("demo-20000-9")
  })

  it("contains the units of the stream in code order, with places and status", () => {
    let id = 0
    let active = 0
    for (const chunk of demoUnits({ units: 20_000, seed: 9 })) {
      for (let i = 0; i < chunk.count; i++, id++) {
        const { lat, lon } = directory.coordinateAt(id)
        expect(Math.round(lat * 1e7) === chunk.lat_e7[i] && Math.round(lon * 1e7) === chunk.lon_e7[i]).toBe(true)
        expect(directory.isActive(id)).toBe(chunk.active[i] === 1)
        active += chunk.active[i] ?? 0
      }
    }
    expect(id).toBe(20_000)
    expect(directory.activeSize).toBe(active)
  })

  it("has the names of all states with their zones, and of all LGAs", () => {
    const states = directory.states()
    expect(states).toHaveLength(37)
    expect(states.find((state) => state.code === "LA")).toEqual({ code: "LA", name: "Lagos" })
    expect(states.reduce((sum, { code }) => sum + (directory.lgas(code)?.length ?? 0), 0)).toBe(774)
    expect(directory.placeNames("LA-11-A01-AA-01" as Postcode)).toEqual({
      state_name: "Lagos",
      lga_name: "Ikeja",
      zone: "South West"
    })
    expect(directory.contents.places).toEqual(nigeriaPlaces())
  })

  it("returns the same attributes of a unit by id and by postcode, as without the directory", () => {
    const attributesOf = demoAttributes(9)
    for (let id = 0; id < directory.size; id += 501) {
      const postcode = directory.postcodeAt(id)
      expect(attributes(id)).toEqual(attributesOf(postcode))
      expect(attributes(postcode)).toEqual(attributes(id))
    }
  })

  it("an unknown postcode has no attributes, and an unknown id is refused", () => {
    expect(attributes("LA-11-Z99-ZZ-99" as Postcode)).toEqual({})
    expect(() => attributes(20_000)).toThrow(RangeError)
  })

  it("the documented examples hold", () => {
    const small = demoDirectory({ units: 10_000 })
    expect(small.directory.postcodeAt(0)).toBe("AB-01-C04-RF-01")
    expect(small.attributes(0)).toMatchObject({ locality_name: "Eziama", recent_address: "43 Barracks Road, Eziama" })
    const national = demoDirectory({ units: 250_000, seed: 1 })
    expect(national.directory.postcodeAt(156_623)).toBe("LA-11-B03-PD-01")
    expect(national.attributes("LA-11-B03-PD-01" as Postcode)).toMatchObject({
      locality_name: "Ikeja",
      recent_address: "1 Toyin Street, Ikeja",
      building_type: "bungalow"
    })
  })

  it("refuses a size that it cannot have", () => {
    expect(() => demoDirectory({ units: 0 })).toThrow(RangeError)
  })
})
