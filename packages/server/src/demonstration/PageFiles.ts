/** The files of the demonstration page, as the service hosts them. */
import { extname } from "node:path"
import { type CountedState, nowhere, type PageSettings, pageAssets } from "@postcode/demo/page"
import type { HostedFile } from "@postcode/http"
import { pickerAssets } from "./pickerAssets.ts"

/** @param platforms the origins of the platform's host, if it is another one */
export const pageFiles = async (
  settings: PageSettings,
  counts: ReadonlyArray<CountedState>,
  platforms: ReadonlyArray<string>
): Promise<ReadonlyArray<HostedFile>> => {
  const [page, picker] = await Promise.all([pageAssets(), pickerAssets()])
  const rest = page.filter(({ name }) => name !== index)
  return [
    {
      path: "/",
      contentType: contentTypeOf(index),
      content: page.find(({ name }) => name === index)?.content ?? "",
      headers: {
        "content-security-policy": policy(platforms),
        "cross-origin-opener-policy": "same-origin",
        // The picker uses geolocation.
        "permissions-policy": "camera=(), display-capture=(), microphone=(), payment=(), usb=()",
        "referrer-policy": "no-referrer"
      },
      host: "gateway"
    },
    ...rest.map(({ content, name }) => file(name, content)),
    ...picker.map(({ content, name }) => file(`picker/${name}`, content)),
    ...mapFiles(),
    file("settings.json", JSON.stringify(settings)),
    file("units.json", JSON.stringify(counts))
  ]
}

const index = "index.html"

/** The style of the demonstration's map of invented streets. */
export const demonstrationMapStyle = "/demo/map/{scheme}.json"

/** Its styles for light and dark, and its tiles. They are made when the first map is shown, and all at once. */
const mapFiles = (): ReadonlyArray<HostedFile> => {
  let tiles: Promise<Uint8Array> | undefined
  const loadTiles = async () => {
    const { demoStreets } = await import("@postcode/demo/streets")
    tiles ??= demoStreets()
    return tiles
  }
  const style = (scheme: "light" | "dark"): HostedFile => ({
    ...file(`map/${scheme}.json`, ""),
    content: async () => {
      // Browsers ask for the tiles next.
      loadTiles().catch(() => {})
      return (await import("@postcode/demo/streets")).streetStyle(scheme, "streets.pmtiles")
    }
  })
  const archive: HostedFile = {
    path: "/demo/map/streets.pmtiles",
    contentType: "application/vnd.pmtiles",
    content: loadTiles,
    // A map asks for the same parts again and again.
    headers: { "cache-control": "max-age=300" },
    host: "gateway"
  }
  return [style("light"), style("dark"), archive]
}

const file = (name: string, content: string): HostedFile => ({
  path: `/demo/${name}`,
  contentType: contentTypeOf(name),
  content,
  host: "gateway"
})

const contentTypeOf = (name: string): string =>
  `${contentTypes.get(extname(name)) ?? "application/octet-stream"}; charset=utf-8`

const contentTypes: ReadonlyMap<string, string> = new Map([
  [".css", "text/css"],
  [".html", "text/html"],
  [".js", "text/javascript"],
  [".json", "application/json"],
  [".svg", "image/svg+xml"]
])

/** The strictest policy under which the picker works. */
const policy = (platforms: ReadonlyArray<string>): string => {
  const services = ["'self'", ...platforms].join(" ")
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ${services} ${nowhere}; ` +
    `frame-src ${services}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ` +
    "require-trusted-types-for 'script'; trusted-types 'none'"
  )
}
