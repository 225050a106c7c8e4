/** The guides as files for a server, below `/docs/`. */
import type { ConsoleFile } from "./ConsoleFile.ts"
import { type Guide, guides } from "./guides.ts"

/** The pages and their style sheet. */
export const guideFiles = async (): Promise<ReadonlyArray<ConsoleFile>> => {
  const { pages, style } = await guides()
  return [
    fileOf("style.css", "text/css", style, {}),
    ...pages.map((page) => fileOf(page.id === "" ? "" : `${page.id}/`, "text/html", documentOf(page), pageHeaders))
  ]
}

const fileOf = (name: string, type: string, content: string, headers: ConsoleFile["headers"]): ConsoleFile => ({
  path: `/docs/${name}`,
  contentType: `${type}; charset=utf-8`,
  content,
  headers: { "cache-control": "no-cache", ...headers },
  host: "gateway"
})

/** The pages run nothing and load only their style. */
const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer"
}

const documentOf = ({ html, title }: Guide): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")} · Postcode Gateway</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header><strong>Postcode Gateway</strong><a href="/docs/">Guides</a><a href="/v1/docs">API reference</a><a href="/console/">Console</a></header>
<main>
${html}
</main>
</body>
</html>
`
