/** A server of styles and tiles on an origin of its own, as an operator or a provider has one, which fails as it is told. */
import type { ServerResponse } from "node:http"
import { deflateSync } from "node:zlib"
import { demoStreets } from "@postcode/demo/streets"
import { listen } from "../Listening.ts"
import { testSize } from "../service/TestDirectory.ts"

export interface TileServer {
  readonly origin: string
  /** The paths that were asked for. */
  readonly asked: Array<string>
  /** How tiles are answered. */
  tiles: "fine" | "missing" | "failing" | "without CORS" | "never"
  /** The archive at `/streets.pmtiles`. */
  archive: "fine" | "missing" | "without ranges" | "not an archive"
  /** The ranges of it that were asked for. */
  readonly ranges: Array<string>
  /** The text of the style at `/style.json`; undefined for the usual one. */
  style: string | undefined
  readonly close: () => Promise<void>
}

export const openTileServer = async (): Promise<TileServer> => {
  const asked: Array<string> = []
  const waiting: Array<ServerResponse> = []
  const ranges: Array<string> = []
  const { close, url } = await listen(async (req, res) => {
    const path = req.url ?? ""
    asked.push(path)
    const isTile = path.endsWith(".png")
    if (!(isTile && server.tiles === "without CORS")) res.setHeader("access-control-allow-origin", "*")
    if (isTile && server.tiles === "never") return void waiting.push(res)
    const failure = { missing: 404, failing: 500 }[server.tiles as string]
    if (isTile && failure) res.writeHead(failure).end()
    else if (isTile) res.setHeader("content-type", "image/png").end(tile)
    else if (path === "/streets.pmtiles" && server.archive !== "missing") {
      ranges.push(req.headers.range ?? "none")
      await sendArchive(server.archive, req.headers.range ?? "", res)
    } else if (path.endsWith(".json")) res.setHeader("content-type", "application/json").end(server.style ?? style)
    else res.writeHead(404).end("no such page")
  })
  const server: TileServer = {
    origin: url,
    asked,
    tiles: "fine",
    archive: "missing",
    ranges,
    style: undefined,
    close: () => {
      for (const res of waiting) res.destroy()
      return close()
    }
  }
  return server
}

/** The streets of the test directory. */
let streets: Promise<Uint8Array> | undefined

const sendArchive = async (kind: TileServer["archive"], range: string, res: ServerResponse): Promise<void> => {
  streets ??= demoStreets(testSize)
  const all = kind === "not an archive" ? Buffer.from("no archive ".repeat(5_000)) : await streets
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  if (kind === "without ranges" || from === undefined || to === undefined) return void res.end(all)
  const part = all.subarray(Number(from), Number(to) + 1)
  const contentRange = `bytes ${from}-${Number(from) + part.byteLength - 1}/${all.byteLength}`
  res.writeHead(206, { "content-range": contentRange, "content-length": part.byteLength }).end(part)
}

/** Relative addresses, as many styles have them. */
const style = JSON.stringify({
  version: 8,
  sources: {
    ground: {
      type: "raster",
      tiles: ["tiles/{z}/{x}/{y}.png"],
      tileSize: 256,
      attribution: '&copy; <a href="https://surveyor.example/about">The surveyor</a> <script>alert(1)</script>'
    }
  },
  layers: [{ id: "ground", type: "raster", source: "ground" }]
})

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

const crc32 = (data: Buffer): number => {
  let crc = -1
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0)
  }
  return ~crc >>> 0
}

/** One green pixel. */
const tile = Buffer.concat([
  Buffer.from("89504e470d0a1a0a", "hex"),
  chunk("IHDR", Buffer.from("00000001000000010802000000", "hex")),
  chunk("IDAT", deflateSync(Buffer.from([0, 0, 160, 80]))),
  chunk("IEND", Buffer.alloc(0))
])
