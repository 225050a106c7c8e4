import { parsePartial } from "@postcode/core/Postcode"
import { describe, expect, it } from "vitest"
import { nigeriaPlaces, nigeriaStates } from "../src/NigeriaPlaces.ts"
import { settlements } from "../src/Settlements.ts"

const zones = ["North Central", "North East", "North West", "South East", "South South", "South West"]

describe("places of Nigeria", () => {
  it("36 states and the FCT, each in one of the six zones", () => {
    const states = nigeriaStates()
    expect(states).toHaveLength(37)
    expect([...new Set(states.map((state) => state.zone))].sort()).toEqual(zones)
    expect(states.find((state) => state.code === "FC")?.name).toBe("Federal Capital Territory")
  })

  it("774 LGAs, numbered from 01 without a gap in each state, each with a name of its own there", () => {
    const states = nigeriaStates()
    expect(states.reduce((sum, state) => sum + state.lgas.length, 0)).toBe(774)
    for (const { lgas } of states) {
      expect(lgas.map((lga) => lga.code)).toEqual(lgas.map((_, i) => String(i + 1).padStart(2, "0")))
      expect(new Set(lgas.map((lga) => lga.name)).size).toBe(lgas.length)
    }
    expect(states.find((state) => state.code === "KN")?.lgas).toHaveLength(44)
    expect(states.find((state) => state.code === "BY")?.lgas).toHaveLength(8)
  })

  it("every point lies in Nigeria's bounding box", () => {
    for (const { lat, lon } of nigeriaStates().flatMap((state) => [state, ...state.lgas])) {
      expect(lat).toBeGreaterThan(4.2)
      expect(lat).toBeLessThan(13.9)
      expect(lon).toBeGreaterThan(2.6)
      expect(lon).toBeLessThan(14.7)
    }
  })

  it("each capital has an LGA of its state as its seat, within 55 km of that LGA's point", () => {
    for (const state of nigeriaStates()) {
      const seat = state.lgas.find((lga) => lga.code === state.seat_lga)
      expect(seat, state.capital).toBeDefined()
      const { lat = 0, lon = 0 } = seat ?? {}
      expect(Math.hypot(lat - state.lat, lon - state.lon) * 111, state.capital).toBeLessThan(55)
    }
  })

  it("as places of a directory: partial postcodes in code order, zones at the states only", () => {
    const places = nigeriaPlaces()
    expect(places).toHaveLength(811)
    expect(places.map((place) => place.code)).toEqual(places.map((place) => place.code).toSorted())
    for (const { code, zone } of places) {
      expect(parsePartial(code)).toMatchObject({ ok: true, partial: code })
      expect(zone !== undefined).toBe(code.length === 2)
    }
    expect(places.find((place) => place.code === "LA-11")?.name).toBe("Ikeja")
  })

  it("each state capital's LGA is settled like a city", () => {
    for (const { code, seat_lga } of nigeriaStates())
      expect(settlements().get(`${code}-${seat_lga}`)?.urban, code).toBe(true)
    expect(settlements().get("BO-01")).toMatchObject({ weight: 1, urban: false })
  })
})
