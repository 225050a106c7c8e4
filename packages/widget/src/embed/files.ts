/** The hosted page as a file that a server answers: for `GatewayOptions.files`, or for any other server. */
import { pageAssets } from "./pageAssets.ts"

/** A file that never changes. Plain data, so that it can be sent to another thread. */
export interface EmbedFile {
  readonly path: string
  readonly contentType: string
  readonly content: string
  readonly headers: Readonly<Record<string, string>>
  /** Where the widget's endpoints are. */
  readonly host: "platform"
}

/** What the page has to know. */
export interface EmbedFilesOptions {
  /**
   * The origin of the gateway as browsers see it, such as `https://gateway.example`, where it is another one than the
   * widget endpoints'.
   */
  readonly gateway?: string
}

/**
 * The page at `/v1/widget/embed`. It is one file, so that no two builds of the service can be mixed up in it.
 *
 * @throws Error if `gateway` is no origin of http or https
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
        // Where its person is may be asked, as far as the page around the frame allows it.
        "permissions-policy": "camera=(), display-capture=(), microphone=(), payment=(), usb=()",
        "referrer-policy": "same-origin"
      },
      host: "platform"
    }
  ]
}

/** With no sign in it that would mean anything in HTML or in a policy; neither can a policy name an address of IPv6. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[\w.-]+(?::\d+)?$/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** What it says is for when the script does not run: it takes that out, and the style sheet shows it late. */
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
<p role="status" lang="en"><span class="late">The postcode field is not loaded yet. If it does not come, please try again later.</span></p>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<script type="module">${script}</script>
</body>
</html>
`

/**
 * The page runs its own script, and loads and calls nothing but the service. Any page of the web may frame it: whose key
 * works there, the key's origins say.
 */
const policy = (scriptHash: string, styleHash: string, gateway: string): string =>
  `default-src 'none'; script-src '${scriptHash}'; style-src '${styleHash}'; img-src data:; ` +
  `connect-src ${`'self' ${gateway}`.trim()}; base-uri 'none'; form-action 'none'; frame-ancestors http: https:; ` +
  "require-trusted-types-for 'script'; trusted-types 'none'"

const hashOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}
