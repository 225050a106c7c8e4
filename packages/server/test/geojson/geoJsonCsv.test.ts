import { text } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import { geoJsonCsv } from "../../src/geojson/geoJsonCsv.ts"

/** @param size of the chunks, which are cut anywhere */
const csvOf = (content: string, size = 1 << 16) =>
  text(
    geoJsonCsv(async () => {
      const bytes = Buffer.from(content)
      return (async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      })()
    })
  )

const feature = (properties: unknown, coordinates: unknown = [3.5105, 6.6194], more: object = {}) =>
  JSON.stringify({ type: "Feature", ...more, geometry: { type: "Point", coordinates }, properties })

const collection = (...features: ReadonlyArray<string>) =>
  `{"type":"FeatureCollection","name":"units \\" {[","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},\n"features":[\n${features.join(",\n")}\n],"bbox":[1,2,3,4],"after":{"a":[{}]}}\n`

describe("features become rows, longitude and latitude become lon and lat", () => {
  const [one, two] = [
    feature({ postcode: "A", name: 'a, "b" {[\\' }),
    feature({ postcode: "B", "r\n": null, n: [1] }, [-1e-7, 4, 12])
  ]
  const csv = 'postcode,name,"r\n",n,lat,lon\nA,"a, ""b"" {[\\",,,6.6194,3.5105\nB,,,[1],4,-0.000000100\n'

  it.each<readonly [what: string, content: string]>([
    ["of a collection", collection(one, two)],
    ["of a collection on one line", collection(one, two).replace(/\n/g, "")],
    ["of lines", `${one}\n${two}\n`],
    ["of lines without a last end", `${one}\n${two}`],
    ["of lines with record separators", `\u001e${one}\n\u001e${two}\n`],
    ["of lines with a byte order mark", `\ufeff${one}\r\n${two}\r\n`],
    ["of objects over several lines", JSON.stringify(JSON.parse(collection(one, two)), null, 2)]
  ])("%s", async (_, content) => {
    expect(await csvOf(content)).toBe(csv)
    for (const size of [1, 2, 7, 64]) expect(await csvOf(content, size), `chunks of ${size}`).toBe(csv)
  })

  it("an id becomes a column, and a property of a coordinate is left out", async () => {
    expect(await csvOf(feature({ Lat: 1, lon: 2, code: "A\nB" }, [3, 6], { id: 7 }))).toBe(
      "id,code,lat,lon\n7,A B,6,3\n"
    )
    expect(await csvOf(feature({ id: "x" }, [3, 6], { id: 7 }))).toBe("id,lat,lon\nx,6,3\n")
    expect(await csvOf(feature(null))).toBe("lat,lon\n6.6194,3.5105\n")
  })
})

describe("what databases export", () => {
  it("properties of properties become columns", async () => {
    const given = feature({ unit: { postcode: "A", status: "active" }, address: { line: "7 Road" }, tags: [1] })
    expect(await csvOf(given)).toBe(
      "unit/postcode,unit/status,address/line,tags,lat,lon\nA,active,7 Road,[1],6.6194,3.5105\n"
    )
  })

  it("rows without a geometry, one on each line", async () => {
    const rows = [
      { postcode: "A", lat: 6.6194, lon: 3.5105 },
      { postcode: "B", lat: "6.6", lon: "3.5", note: null },
      { postcode: "C", lon: 3 }
    ]
    const content = rows.map((row) => `${JSON.stringify(row)}\n`).join("")
    expect(await csvOf(content)).toBe("postcode,note,lat,lon\nA,,6.6194,3.5105\nB,,6.6,3.5\nC,,,3\n")
  })
})

describe("anything else is refused by its name and line", () => {
  const geometry = (type: string) =>
    `{"type":"Feature","properties":{},"geometry":{"type":"${type}","coordinates":[[1,2]]}}`
  it.each<readonly [content: string, message: RegExp]>([
    [collection(feature({}), geometry("Polygon")), /^line 4: a Polygon: expected features with a Point/],
    [`${feature({})}\n${geometry("MultiPoint").replace("[[1,2]]", "[[1,2],[3,4]]")}\n`, /^line 2: a MultiPoint: /],
    ['{"type":"Point","coordinates":[1,2]}', /^line 1: a Point: expected features/],
    ['{"type":"Feature","geometry":7}', /^line 1: a feature without a geometry/],
    [feature({}, ["3.5", "6.6"]), /^line 1: a point without coordinates/],
    [feature({}, []), /^line 1: a point without coordinates/],
    ['{"type":"Topology","objects":{}}', /^line 1: a Topology: /],
    ['{"type":{"a":1}}', /^line 1: a value of no known type: /],
    ['{"rows":[{"a":1}]}', /^line 1: a value of no known type: /],
    [collection(), /^it has no feature/],
    ["", /^it has no feature/],
    ["[1,2]", /^it has no feature/],
    ['{"type":"Feature"', /line 1 does not end: the file is cut off/],
    [collection(feature({})).slice(0, -20), /does not end: the file is cut off/],
    ['{"type":"Feature" "geometry":1}', /^line 1: this is no JSON/],
    [`{"a":"${"x".repeat(2 << 20)}"}`, /^line 1: an object of more than 1 MiB/],
    [feature(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`p${n}`, n]))), /more than 500 properties/]
  ])("%#", async (content, message) => {
    for (const size of [1 << 16, 1_000]) {
      await expect(csvOf(content, size)).rejects.toMatchObject({ message: expect.stringMatching(message) })
    }
  })
})
