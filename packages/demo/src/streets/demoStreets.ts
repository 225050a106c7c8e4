/** The streets of the demonstration as an archive of vector tiles, made from its plan. */
import { setImmediate } from "node:timers/promises"
import { GeoJSONVT } from "@maplibre/geojson-vt"
import { fromGeojsonVt } from "@maplibre/vt-pbf"
import { zxyToTileId } from "pmtiles"
import { type DemoSize, demoSize, planLgas } from "../DemoPlan.ts"
import { nigeriaStates } from "../NigeriaPlaces.ts"
import { type Tile, writeArchive } from "./Archive.ts"
import { featuresOf, type MapFeature } from "./StreetLines.ts"

const minZoom = 10
/** A tile of this zoom has about 2.4 km, and browsers enlarge it. */
const maxZoom = 14
const layers = ["ground", "roads", "streets", "localities", "places"] as const satisfies ReadonlyArray<
  MapFeature["layer"]
>
const attribution = "Invented streets"

/** West, south, east, north of Nigeria. */
const bounds = [2.6, 4.2, 14.7, 13.9] as const

/**
 * The archive, in PMTiles. It takes a second or two of one processor, in steps of some milliseconds, so that other work
 * goes on meanwhile.
 *
 * @throws RangeError if the size is out of bounds
 */
export const demoStreets = async (size: DemoSize = {}): Promise<Uint8Array> => {
  const { seed } = demoSize(size)
  const names = new Map(
    nigeriaStates().flatMap(({ code, lgas }) => lgas.map((lga) => [`${code}-${lga.code}`, lga.name]))
  )
  const parts: Array<ReadonlyArray<MapFeature>> = []
  for (const lga of planLgas(size)) {
    const { lga: code, state } = lga.settlement
    parts.push(featuresOf(lga, names.get(`${state}-${code}`) ?? "", seed))
    await setImmediate()
  }
  const encoded = await encodeTiles(parts)
  const metadata = {
    name: "Demonstration",
    attribution,
    vector_layers: layers.map((id) => ({ id, fields: { name: "String" }, minzoom: minZoom, maxzoom: maxZoom }))
  }
  return writeArchive(encoded, { metadata, minZoom, maxZoom, bounds })
}

/**
 * Each tile is encoded as soon as no later part has something in it: all of them at once would take 200 MB.
 *
 * @param parts the features of each LGA; neighbours follow each other
 */
const encodeTiles = async (parts: ReadonlyArray<ReadonlyArray<MapFeature>>): Promise<ReadonlyArray<Tile>> => {
  const tiles: OpenTiles = new Map()
  const left = new Map<number, number>()
  for (const part of parts) for (const { id } of tilesAround(part)) left.set(id, (left.get(id) ?? 0) + 1)
  const encoded: Array<Tile> = []
  for (const part of parts) {
    addFeatures(tiles, part)
    for (const { id, x, y, z } of tilesAround(part)) {
      const others = (left.get(id) ?? 0) - 1
      left.set(id, others)
      const layers = tiles.get(id)
      if (others > 0 || layers === undefined) continue
      encoded.push({ z, x, y, content: fromGeojsonVt(layers, { version: 2 }) })
      tiles.delete(id)
    }
    await setImmediate()
  }
  return encoded
}

type VectorTile = NonNullable<ReturnType<GeoJSONVT["getTile"]>>

/** The layers of tiles by id, with features from several LGAs. */
type OpenTiles = Map<number, Record<string, VectorTile>>

/** Streets are drawn from near, the rest also from afar. */
const firstZoom: Readonly<Record<MapFeature["layer"], number>> = {
  ground: 10,
  roads: 10,
  streets: 13,
  localities: 12,
  places: 10
}

const addFeatures = (tiles: OpenTiles, all: ReadonlyArray<MapFeature>): void => {
  const index = new GeoJSONVT(
    { type: "FeatureCollection", features: all.map(geoJsonOf) },
    { maxZoom, indexMaxZoom: maxZoom, indexMaxPoints: 0, tolerance: 2, buffer: 128 }
  )
  for (const { id, x, y, z } of tilesAround(all)) {
    const tile = index.getTile(z, x, y)
    if (tile === null || tile.features.length === 0) continue
    const known = tiles.get(id) ?? {}
    for (const feature of tile.features) {
      const { layer, ...tags } = feature.tags as { readonly layer: MapFeature["layer"] }
      if (z < firstZoom[layer]) continue
      known[layer] ??= { ...tile, features: [] }
      known[layer].features.push({ ...feature, tags })
      tiles.set(id, known)
    }
  }
}

interface TileAddress extends Omit<Tile, "content"> {
  readonly id: number
}

/** The tiles of all zooms that contain some features, and those between them. */
function* tilesAround(features: ReadonlyArray<MapFeature>): Generator<TileAddress> {
  const points = features
    .flatMap(({ positions }) => positions)
    .map(([lon, lat]) => [(lon + 180) / 360, mercator(lat)] as const)
  const range = (values: ReadonlyArray<number>) => [Math.min(...values), Math.max(...values)] as const
  const [west, east] = range(points.map(([x]) => x))
  const [north, south] = range(points.map(([, y]) => y))
  for (let z = minZoom; z <= maxZoom; z++) {
    const tileAt = (part: number) => Math.floor(part * 2 ** z)
    for (let x = tileAt(west); x <= tileAt(east); x++) {
      for (let y = tileAt(north); y <= tileAt(south); y++) yield { id: zxyToTileId(z, x, y), z, x, y }
    }
  }
}

/** From 0 in the north to 1 in the south. */
const mercator = (lat: number): number => 0.5 - Math.atanh(Math.sin((lat * Math.PI) / 180)) / (2 * Math.PI)

type Feature = Extract<ConstructorParameters<typeof GeoJSONVT>[0], { type: "FeatureCollection" }>["features"][number]

const geoJsonOf = ({ kind, layer, name, positions }: MapFeature): Feature => {
  const coordinates = positions.map(([lon, lat]) => [lon, lat])
  const properties = name === "" ? { layer } : { layer, name }
  switch (kind) {
    case "Point":
      return { type: "Feature", properties, geometry: { type: kind, coordinates: coordinates[0] ?? [] } }
    case "LineString":
      return { type: "Feature", properties, geometry: { type: kind, coordinates } }
    case "Polygon":
      return { type: "Feature", properties, geometry: { type: kind, coordinates: [coordinates] } }
  }
}
