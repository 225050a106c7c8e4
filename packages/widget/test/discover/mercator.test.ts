import { describe, expect, it } from "vitest"
import {
  fromScreen,
  metresPerPixel,
  project,
  scaleBar,
  toScreen,
  unproject,
  zoomFor
} from "../../src/discover/mercator.ts"

const ikeja = { lat: 6.5966, lng: 3.3421 }

describe("the projection", () => {
  it("is web Mercator, as tile servers number their tiles", () => {
    // Of the OpenStreetMap wiki, "Slippy map tilenames".
    const tileAt = (lat: number, lng: number, zoom: number) =>
      project({ lat, lng }, zoom).map((pixel) => Math.floor(pixel / 256))
    expect(tileAt(0, 0, 1)).toEqual([1, 1])
    expect(tileAt(52.5163, 13.3777, 17)).toEqual([70406, 42987])
    expect(tileAt(6.5966, 3.3421, 15)).toEqual([16688, 15782])
    expect(project({ lat: 85.0511287798, lng: -180 }, 0).map(Math.round)).toEqual([0, 0])
  })

  it("returns to the same point", () => {
    for (const lat of [-80, -6.5, 0, 6.5966, 60]) {
      for (const lng of [-179.9, -3, 0, 3.3421, 179.9]) {
        const point = unproject(...project({ lat, lng }, 17.3), 17.3)
        expect(point.lat).toBeCloseTo(lat, 9)
        expect(point.lng).toBeCloseTo(lng, 9)
      }
    }
  })

  it("puts the centre in the middle, north up", () => {
    const viewport = { centre: ikeja, zoom: 17, width: 300, height: 200 }
    expect(toScreen(ikeja, viewport)).toEqual([150, 100])
    const [east, north] = toScreen({ lat: ikeja.lat + 0.0005, lng: ikeja.lng + 0.0005 }, viewport)
    expect(east).toBeGreaterThan(150)
    expect(north).toBeLessThan(100)
    const point = fromScreen(east, north, viewport)
    expect(point.lat).toBeCloseTo(ikeja.lat + 0.0005, 9)
    expect(point.lng).toBeCloseTo(ikeja.lng + 0.0005, 9)
  })

  it("computes the metres of a pixel", () => {
    expect(metresPerPixel(0, 0)).toBeCloseTo(156_543.034, 3)
    expect(zoomFor(6.5966, metresPerPixel(6.5966, 16.4))).toBeCloseTo(16.4, 9)
  })
})

describe("the scale bar", () => {
  it("is the longest of 1, 2 or 5 times a power of ten metres that fits", () => {
    for (let zoom = 3; zoom <= 20; zoom += 0.1) {
      const { length_m, width_px } = scaleBar({ centre: ikeja, zoom, width: 300, height: 200 }, 100)
      expect(`${length_m}`).toMatch(/^[125]0*$/)
      expect(width_px).toBeCloseTo(length_m / metresPerPixel(ikeja.lat, zoom), 6)
      expect(width_px).toBeLessThanOrEqual(100)
      expect(width_px).toBeGreaterThan(39)
    }
  })
})
