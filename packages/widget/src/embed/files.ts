/** The hosted page as a file for a server: for `GatewayOptions.files`, or any other server. */
import { pageAssets } from "./pageAssets.ts"

/** An immutable file. Structured-cloneable, to be sent to a worker. */
export interface EmbedFile {
  readonly path: string
  readonly contentType: string
  readonly content: string
  readonly headers: Readonly<Record<string, string>>
  /** The address of the widget's endpoints. */
  readonly host: "platform"
}

/** The page's settings. */
export interface EmbedFilesOptions {
  /** The gateway's public origin, such as `https://gateway.example`, if it differs from the widget endpoints'. */
  readonly gateway?: string
}

/**
 * The page at `/v1/widget/embed`. It is a single file, so that parts of different builds cannot mix.
 *
 * @throws Error if `gateway` is not an http or https origin
 */
export const embedFiles = async ({ gateway = "" }: EmbedFilesOptions = {}): Promise<ReadonlyArray<EmbedFile>> => {
  if (gateway !== "" && !isOrigin(gateway)) {
    throw new Error("gateway: expected an origin such as https://gateway.example")
  }
  const assets = new Map((await pageAssets()).map(({ content, name }) => [name, content]))
  const script = assets.get("main.js") ?? ""
  const style = assets.get("page.css") ?? ""
  return [
    {
      path: "/v1/widget/embed",
      contentType: "text/html; charset=utf-8",
      content: pageHtml(script, style, gateway),
      headers: {
        "content-security-policy": policy(await hashOf(script), await hashOf(style), gateway),
        // Allows geolocation, within the framing page's policy.
        "permissions-policy": "camera=(), display-capture=(), microphone=(), payment=(), usb=()",
        "referrer-policy": "same-origin"
      },
      host: "platform"
    }
  ]
}

/** Without characters that have a meaning in HTML or in a policy; a policy cannot name an IPv6 address. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[\w.-]+(?::\d+)?$/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** Its text is shown, with a delay, only if the script does not run and remove it. */
const pageHtml = (script: string, style: string, gateway: string): string => `<!doctype html>
<html lang="en"${gateway === "" ? "" : ` data-gateway="${gateway}"`}>
<head>
<meta charset="utf-8">
<title>Postcode</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Postcode</h1>
<p role="status" lang="en"><span class="late">The postcode field is loading. If it does not appear, please try again later.</span></p>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<script type="module">${script}</script>
</body>
</html>
`

/**
 * The page runs only its own script, connects only to the service, and frames only its map. Any page may frame it: the key's origins decide
 * which pages can use the key.
 */
const policy = (scriptHash: string, styleHash: string, gateway: string): string =>
  `default-src 'none'; script-src '${scriptHash}'; style-src '${styleHash}'; img-src data:; ` +
  `connect-src ${`'self' ${gateway}`.trim()}; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors http: https:; ` +
  "require-trusted-types-for 'script'; trusted-types 'none'"

const hashOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}
