/** The frame that draws streets, and a style of the operator: a green ground without a server of tiles. */
import type { HostedFile } from "@postcode/http"
import { mapFiles } from "../../widget/src/map/files.ts"

/** The address of the style. */
export const streetStyle = "/streets/{scheme}.json"

export const streetFiles = async (): Promise<ReadonlyArray<HostedFile>> => [
  ...(await mapFiles()),
  styleFile("light", "#cfe8d5"),
  styleFile("dark", "#1d3326")
]

const styleFile = (scheme: string, color: string): HostedFile => ({
  path: streetStyle.replace("{scheme}", scheme),
  contentType: "application/json",
  content: JSON.stringify({
    version: 8,
    sources: {
      ground: { type: "geojson", data: ground, attribution: '&copy; <a href="https://surveyor.example/">Surveyor</a>' }
    },
    layers: [{ id: "ground", type: "fill", source: "ground", paint: { "fill-color": color } }]
  }),
  headers: {}
})

const ground = {
  type: "Polygon",
  coordinates: [
    [
      [2, 4],
      [15, 4],
      [15, 14],
      [2, 14],
      [2, 4]
    ]
  ]
}
