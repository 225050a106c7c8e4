/** The hosted page as files that a server answers: for `GatewayOptions.files`, or for any other server. */
import { type PageAsset, pageAssets } from "./pageAssets.ts"

/** A file that never changes. Plain data, so that it can be sent to another thread. */
export interface EmbedFile {
  readonly path: string
  readonly contentType: string
  readonly content: string
  readonly headers: Readonly<Record<string, string>>
  /** Where the widget's endpoints are. */
  readonly host: "platform"
}

export interface EmbedFilesOptions {
  /**
   * The origin of the gateway as browsers see it, such as `https://gateway.example`, where it is another one than the
   * widget endpoints'.
   */
  readonly gateway?: string
}

/**
 * The page at `/v1/widget/embed`, and what it loads.
 *
 * @throws Error if `gateway` is no origin
 */
export const embedFiles = async ({ gateway = "" }: EmbedFilesOptions = {}): Promise<ReadonlyArray<EmbedFile>> => {
  if (gateway !== "" && !(URL.canParse(gateway) && new URL(gateway).origin === gateway)) {
    throw new Error("gateway: expected an origin such as https://gateway.example")
  }
  const assets = await pageAssets()
  return [
    {
      path: pagePath,
      contentType: "text/html; charset=utf-8",
      content: pageHtml(assets, gateway),
      headers: { "content-security-policy": policy(gateway), "referrer-policy": "same-origin" },
      host: "platform"
    },
    ...assets.map(assetFile)
  ]
}

const pagePath = "/v1/widget/embed"

/** Its name changes with its content, so it can be kept. */
const assetFile = ({ content, name }: PageAsset): EmbedFile => ({
  path: `${pagePath}/${name}`,
  contentType: `${name.endsWith(".css") ? "text/css" : "text/javascript"}; charset=utf-8`,
  content,
  headers: { "cache-control": "public, max-age=31536000, immutable" },
  host: "platform"
})

/** Addresses are relative, so that a proxy can put all of it below a path. */
const pageHtml = (assets: ReadonlyArray<PageAsset>, gateway: string): string => {
  const addressOf = (pattern: RegExp) => `embed/${assets.find(({ name }) => pattern.test(name))?.name}`
  return `<!doctype html>
<html lang="en"${gateway === "" ? "" : ` data-gateway="${gateway}"`}>
<head>
<meta charset="utf-8">
<title>Postcode</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${addressOf(/^page-/)}">
<script type="module" src="${addressOf(/^main-/)}"></script>
</head>
<body>
<main><noscript>This page needs JavaScript.</noscript></main>
</body>
</html>
`
}

/**
 * The page loads and calls nothing but the service. Any page of the web may frame it: whose key works there, the key's
 * origins say.
 */
const policy = (gateway: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src ${`'self' ${gateway}`.trim()}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors http: https:; " +
  "require-trusted-types-for 'script'; trusted-types 'none'"
