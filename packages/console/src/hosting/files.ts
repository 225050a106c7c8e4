/** The files of the console and of the guides for a server: for `GatewayOptions.files`, or any other server. */
import { type ConsoleAsset, consoleAssets } from "./assets.ts"
import type { ConsoleFile } from "./ConsoleFile.ts"
import { guideFiles } from "./guideFiles.ts"

export type { ConsoleFile } from "./ConsoleFile.ts"

/**
 * The page at `/console` and `/console/`, and its assets below. Asset names contain a content hash, so assets are
 * cached forever; the page is revalidated. With them come the guides of this version at `/docs/`, to which the console
 * and the responses to errors link.
 */
export const consoleFiles = async (): Promise<ReadonlyArray<ConsoleFile>> => {
  const [assets, guides] = await Promise.all([consoleAssets(), guideFiles()])
  const console = assets.flatMap((asset) =>
    asset.name === "index.html"
      ? ["/console", "/console/"].map((path) => fileOf(asset, path, pageHeaders))
      : [fileOf(asset, `/console/${asset.name}`, { "cache-control": "public, max-age=31536000, immutable" })]
  )
  return [...console, ...guides]
}

const fileOf = (
  { content, name }: ConsoleAsset,
  path: string,
  headers: Readonly<Record<string, string>>
): ConsoleFile => ({ path, contentType: contentTypeOf(name), content, headers, host: "gateway" })

/** Runs only its own scripts, connects only to the service, and cannot be framed. */
const pageHeaders = {
  "cache-control": "no-cache",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    // The service's own frame, which draws streets.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": [
    "publickey-credentials-create=(self)",
    "publickey-credentials-get=(self)",
    ...["camera", "display-capture", "geolocation", "microphone", "payment", "usb"].map((feature) => `${feature}=()`)
  ].join(", "),
  "referrer-policy": "no-referrer"
}

const contentTypeOf = (name: string): string => {
  const type = contentTypes[name.slice(name.lastIndexOf(".") + 1)]
  if (type === undefined) throw new Error(`${name}: expected a file named ${Object.keys(contentTypes).join(", ")}`)
  return `${type}; charset=utf-8`
}

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html",
  js: "text/javascript",
  svg: "image/svg+xml"
}
