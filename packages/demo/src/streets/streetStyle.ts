/** The demonstration's map as a MapLibre style, in light and in dark. */

interface Palette {
  readonly land: string
  readonly ground: string
  readonly edge: string
  readonly street: string
  readonly road: string
  readonly text: string
  readonly halo: string
}

const palettes: Readonly<Record<"light" | "dark", Palette>> = {
  light: {
    land: "#e9efe2",
    ground: "#f1efe9",
    edge: "#d3cfc4",
    street: "#ffffff",
    road: "#fbe3a2",
    text: "#45423b",
    halo: "#ffffff"
  },
  dark: {
    land: "#1d2420",
    ground: "#262729",
    edge: "#161718",
    street: "#45474b",
    road: "#6a5c35",
    text: "#d7d5cf",
    halo: "#1b1c1e"
  }
}

const font = ["Noto Sans Regular", "system-ui", "sans-serif"]

/**
 * The style, as JSON. It needs no fonts from a server: without `glyphs`, browsers draw names with their own.
 *
 * @param archive the address of the archive of `demoStreets`
 */
export const streetStyle = (scheme: "light" | "dark", archive: string): string => {
  const { edge, ground, halo, land, road, street, text } = palettes[scheme]
  const line = (id: string, layer: string, colour: string, narrow: number, wide: number) => ({
    id,
    type: "line",
    source: "streets",
    "source-layer": layer,
    layout: { "line-cap": "round", "line-join": "round" },
    paint: {
      "line-color": colour,
      "line-width": ["interpolate", ["exponential", 2], ["zoom"], 10, narrow / 8, 14, narrow, 18, wide]
    }
  })
  const label = { "text-color": text, "text-halo-color": halo, "text-halo-width": 1.5 }
  return JSON.stringify({
    version: 8,
    name: `Demonstration, ${scheme}`,
    sources: { streets: { type: "vector", url: `pmtiles://${archive}` } },
    layers: [
      { id: "land", type: "background", paint: { "background-color": land } },
      line("road edges", "roads", edge, 5, 48),
      line("roads", "roads", road, 4, 44),
      { id: "ground", type: "fill", source: "streets", "source-layer": "ground", paint: { "fill-color": ground } },
      line("street edges", "streets", edge, 2, 26),
      line("streets", "streets", street, 1.2, 23),
      {
        id: "street names",
        type: "symbol",
        source: "streets",
        "source-layer": "streets",
        minzoom: 15,
        layout: {
          "symbol-placement": "line",
          "symbol-spacing": 220,
          "text-field": ["get", "name"],
          "text-font": font,
          "text-size": ["interpolate", ["linear"], ["zoom"], 15, 10, 18, 13],
          "text-max-angle": 30
        },
        paint: label
      },
      {
        id: "localities",
        type: "symbol",
        source: "streets",
        "source-layer": "localities",
        minzoom: 12.5,
        maxzoom: 16.5,
        layout: { "text-field": ["get", "name"], "text-font": font, "text-size": 13, "text-padding": 8 },
        paint: label
      },
      {
        id: "places",
        type: "symbol",
        source: "streets",
        "source-layer": "places",
        maxzoom: 12.5,
        layout: { "text-field": ["get", "name"], "text-font": font, "text-size": 14, "text-padding": 8 },
        paint: label
      }
    ]
  })
}
