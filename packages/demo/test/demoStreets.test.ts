/** The map of the demonstration: an archive that any reader of PMTiles reads, in which units lie at their streets. */
import { PMTiles, type Source, TileType } from "pmtiles"
import { beforeAll, describe, expect, it } from "vitest"
import { planLgas } from "../src/DemoPlan.ts"
import { demoAttributes, demoDirectory } from "../src/index.ts"
import { demoStreets, streetStyle } from "../src/streets/index.ts"
import { featuresOf, type MapFeature, type Position } from "../src/streets/StreetLines.ts"

const size = { units: 20_000, seed: 1 }
let archive: Uint8Array
let reader: PMTiles

beforeAll(async () => {
  archive = await demoStreets(size)
  const source: Source = {
    getKey: () => "archive",
    getBytes: async (offset, length) => ({ data: Uint8Array.from(archive.subarray(offset, offset + length)).buffer })
  }
  reader = new PMTiles(source)
})

const tileOf = ([lon, lat]: Position, z: number): readonly [z: number, x: number, y: number] => {
  const y = 0.5 - Math.atanh(Math.sin((lat * Math.PI) / 180)) / (2 * Math.PI)
  return [z, Math.floor(((lon + 180) / 360) * 2 ** z), Math.floor(y * 2 ** z)]
}

describe("the archive of streets", () => {
  it("is the same for the same size and seed", async () => {
    expect(Buffer.from(await demoStreets(size)).equals(Buffer.from(archive))).toBe(true)
  })

  it("has a header, an attribution and tiles of all its zooms around every unit", async () => {
    expect(await reader.getHeader()).toMatchObject({ specVersion: 3, tileType: TileType.Mvt, minZoom: 10, maxZoom: 14 })
    expect(await reader.getMetadata()).toMatchObject({ attribution: "Invented streets" })
    const { directory } = demoDirectory(size)
    for (let id = 0; id < directory.size; id += 499) {
      const { lat, lon } = directory.coordinateAt(id)
      for (let z = 10; z <= 14; z++) {
        const tile = await reader.getZxy(...tileOf([lon, lat], z))
        expect(tile?.data.byteLength, `${directory.postcodeAt(id)} at ${z}`).toBeGreaterThan(20)
      }
    }
  })

  it("has the names of streets and localities in its tiles", async () => {
    const { directory } = demoDirectory(size)
    const attributesOf = demoAttributes(size.seed)
    const id = Array.from({ length: directory.size }, (_, id) => id).find((id) =>
      /^\d+ [A-Z]/.test(attributesOf(directory.postcodeAt(id)).recent_address ?? "")
    )
    const postcode = directory.postcodeAt(id ?? 0)
    const { lat, lon } = directory.coordinateAt(id ?? 0)
    const [, street = "", locality = ""] = /^\d+\w? (.+), (.+)$/.exec(attributesOf(postcode).recent_address ?? "") ?? []
    const tile = await reader.getZxy(...tileOf([lon, lat], 14))
    const text = Buffer.from(tile?.data ?? new ArrayBuffer(0)).toString("latin1")
    expect(text).toContain(Buffer.from(street).toString("latin1"))
    expect(locality.length).toBeGreaterThan(2)
  })

  it("has nothing where no one lives", async () => {
    expect(await reader.getZxy(...tileOf([3.4, 4.3], 14))).toBeUndefined()
  })
})

describe("the streets of an LGA", () => {
  const ikeja = planLgas({}).find(({ settlement }) => settlement.state === "LA" && settlement.lga === "11")
  if (ikeja === undefined) throw new Error("Ikeja has units")
  const features = featuresOf(ikeja, "Ikeja", 1)
  const streets = features.filter(({ layer, name }) => layer === "streets" && name !== "")

  it("every house is beside the street of its address", () => {
    const { directory } = demoDirectory()
    const attributesOf = demoAttributes(1)
    let houses = 0
    for (let id = 0; id < directory.size; id += 1) {
      const postcode = directory.postcodeAt(id)
      if (!postcode.startsWith("LA-11-") || id % 37 !== 0) continue
      const name = /^\d+\w? (.+), .+$/.exec(attributesOf(postcode).recent_address ?? "")?.[1]
      if (name === undefined) continue
      const { lat, lon } = directory.coordinateAt(id)
      const away = Math.min(
        ...streets.filter((street) => street.name === name).map((street) => metresTo(street, [lon, lat]))
      )
      // Half of the width between two houses, and what houses are scattered by.
      expect(away, `${postcode}, ${name}`).toBeGreaterThan(9)
      expect(away, `${postcode}, ${name}`).toBeLessThan(13)
      houses++
    }
    expect(houses).toBeGreaterThan(20)
  })

  it("roads connect all districts", () => {
    const districts = features.filter(({ layer }) => layer === "localities").length
    expect(districts).toBeGreaterThan(3)
    expect(features.filter(({ layer }) => layer === "roads")).toHaveLength(districts - 1)
  })
})

/** From a position to a straight line, on a plane. */
const metresTo = ({ positions }: MapFeature, [lon, lat]: Position): number => {
  const flat = ([x, y]: Position): Position => [
    (x - lon) * 111_195 * Math.cos((lat * Math.PI) / 180),
    (y - lat) * 111_195
  ]
  const [[x1, y1], [x2, y2]] = [flat(positions[0] ?? [0, 0]), flat(positions[1] ?? [0, 0])]
  const [dx, dy] = [x2 - x1, y2 - y1]
  const along = Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x1 + along * dx, y1 + along * dy)
}

describe("the style", () => {
  it.each(["light", "dark"] as const)(
    "in %s uses only layers that the archive has, and no server of fonts",
    async (scheme) => {
      const style = JSON.parse(streetStyle(scheme, "streets.pmtiles"))
      const { vector_layers } = (await reader.getMetadata()) as {
        readonly vector_layers: ReadonlyArray<{ readonly id: string }>
      }
      const known = [undefined, ...vector_layers.map(({ id }) => id)]
      for (const layer of style.layers) expect(known).toContain(layer["source-layer"])
      expect(style).not.toHaveProperty("glyphs")
      expect(style.sources.streets.url).toBe("pmtiles://streets.pmtiles")
    }
  )
})
