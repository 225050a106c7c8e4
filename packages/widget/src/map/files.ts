/** The frame that draws streets as files for a server: for `GatewayOptions.files`, or any other server. */
import { mapDigest } from "./mapDigest.ts"

/** An immutable file. Scripts are read at the first request: most services never show a map. */
export interface MapFile {
  readonly path: string
  readonly contentType: string
  readonly content: string | (() => Promise<string>)
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The page at `/v1/widget/map`, and its scripts below it, in a folder named after their content. Widgets with a
 * `map-style` show it in a frame.
 */
export const mapFiles = async (): Promise<ReadonlyArray<MapFile>> => {
  const digest = await mapDigest()
  const style = await hashOf(css)
  return [
    {
      path: "/v1/widget/map",
      contentType: "text/html; charset=utf-8",
      content: pageHtml(digest),
      headers: {
        "content-security-policy": policy(style),
        "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
        // Some tile servers want to know the site, and none needs more.
        "referrer-policy": "strict-origin"
      }
    },
    scriptOf("map.js", digest),
    scriptOf("worker.js", digest)
  ]
}

const scriptOf = (name: string, digest: string): MapFile => ({
  path: `/v1/widget/map/${digest}/${name}`,
  contentType: "text/javascript; charset=utf-8",
  content: async () => {
    const { mapAssets } = await import("./mapAssets.ts")
    return (await mapAssets()).find((asset) => asset.name === name)?.content ?? ""
  },
  headers: {
    "cache-control": "public, max-age=31536000, immutable",
    // That of the worker: it may only load tiles.
    "content-security-policy": "default-src 'none'; connect-src http: https:"
  }
})

/** MapLibre looks for the colour of its canary, to know that it has styles. */
const css =
  "html,body{margin:0;block-size:100%;overflow:hidden;background:none}.maplibregl-canvas{position:absolute;inset:0}" +
  ".maplibregl-canary{background-color:salmon}"

const pageHtml = (digest: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Map</title>
<link rel="icon" href="data:,">
<style>${css}</style>
<script type="module" src="map/${digest}/map.js"></script>
</head>
<body></body>
</html>
`

/**
 * The frame runs only its own script and worker. It may load styles and tiles from anywhere, as any page may name them,
 * and any page may frame it: it has no cookies, keys or texts of users.
 */
const policy = (styleHash: string): string =>
  `default-src 'none'; script-src 'self'; worker-src 'self'; style-src '${styleHash}'; img-src data: blob:; ` +
  "connect-src http: https:; base-uri 'none'; form-action 'none'; frame-ancestors http: https:; " +
  "require-trusted-types-for 'script'; trusted-types default"

const hashOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}
