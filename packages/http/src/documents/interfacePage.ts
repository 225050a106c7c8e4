/** The browsable page of the interface: the library's page in the product's design, with links to its other pages. */
import { Api } from "@postcode/api"
import { Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { designTokens } from "./designTokens.ts"

/** Another page of the same host. */
export interface PageLink {
  readonly path: string
  readonly title: string
}

/** The page also works without internet access: it uses no external fonts, telemetry or proxy. */
export const renderInterfacePage = async (links: ReadonlyArray<PageLink>): Promise<string> => {
  const page = await libraryPage()
  const style = `${await designTokens()}\n${styles}`
  return page
    .replace("<html>", () => '<html lang="en">')
    .replace("</head>", () => `<style>${style}</style></head>`)
    .replace("<body>", () => `<body>${header(links)}`)
}

let library: Promise<string> | undefined

/** It takes some hundred milliseconds, and depends only on the contract. */
const libraryPage = (): Promise<string> => {
  library ??= renderLibraryPage()
  return library
}

const renderLibraryPage = async (): Promise<string> => {
  const layer = HttpApiScalar.layer(Api, { path: "/v1/docs", scalar: configuration }).pipe(
    Layer.provide(HttpServer.layerServices)
  )
  const { dispose, handler } = HttpRouter.toWebHandler(layer, { disableLogger: true })
  const response = await handler(new Request("http://localhost/v1/docs"))
  const html = await response.text()
  await dispose()
  return html
}

const icon =
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b57d0"/>' +
  '<path d="M16 6a8 8 0 0 0-8 8c0 5.5 8 12 8 12s8-6.5 8-12a8 8 0 0 0-8-8zm0 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z" fill="#fff"/></svg>'

const header = (links: ReadonlyArray<PageLink>): string => {
  const anchors = [...links, openApi].map(({ path, title }) => `<a href="${path}">${title}</a>`)
  return (
    `<header class="product">${icon}<strong>Postcode Gateway</strong><span>API reference</span>` +
    `<nav aria-label="Parts of the product">${anchors.join("")}</nav></header>`
  )
}

const openApi: PageLink = { path: "/v1/openapi.json", title: "OpenAPI" }

const configuration = {
  theme: "none",
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  hideClientButton: true,
  showDeveloperTools: "never",
  favicon: "data:,"
} as const

/** The tokens in the library's names. Its scheme can be switched, so colours follow the class of its switch. */
const styles = `
body { margin: 0; background: var(--surface); color: var(--text); }
.light-mode { color-scheme: light; }
.dark-mode { color-scheme: dark; }
body, .light-mode, .dark-mode {
  --scalar-custom-header-height: 3.5rem;
  --scalar-font: var(--sans);
  --scalar-font-code: var(--code);
  --scalar-radius: var(--radius);
  --scalar-radius-lg: var(--radius);
  --scalar-radius-xl: var(--radius-large);
  --scalar-color-1: var(--text);
  --scalar-color-2: var(--muted);
  --scalar-color-3: var(--muted);
  --scalar-color-accent: var(--accent);
  --scalar-background-1: var(--surface);
  --scalar-background-2: var(--ground);
  --scalar-background-3: var(--line);
  --scalar-background-accent: var(--accent-soft);
  --scalar-border-color: var(--line);
  --scalar-link-color: var(--accent);
  --scalar-link-color-hover: var(--accent);
  --scalar-button-1: var(--accent);
  --scalar-button-1-color: var(--on-accent);
  --scalar-button-1-hover: var(--accent);
  --scalar-color-green: var(--good);
  --scalar-color-blue: var(--accent);
  --scalar-color-orange: var(--warning);
  --scalar-color-yellow: var(--warning);
  --scalar-color-red: var(--bad);
  --scalar-color-danger: var(--bad);
  --scalar-color-alert: var(--warning);
  --scalar-color-purple: var(--accent);
  --scalar-sidebar-background-1: var(--ground);
  --scalar-sidebar-border-color: var(--line);
  --scalar-sidebar-color-1: var(--text);
  --scalar-sidebar-color-2: var(--muted);
  --scalar-sidebar-color-active: var(--accent);
  --scalar-sidebar-item-active-background: var(--accent-soft);
  --scalar-sidebar-item-hover-background: var(--line);
  --scalar-sidebar-search-background: var(--surface);
  --scalar-sidebar-search-border-color: var(--edge);
  --scalar-sidebar-search-color: var(--muted);
}
:focus-visible { outline: var(--focus); outline-offset: var(--focus-offset); }
.product { position: sticky; inset-block-start: 0; z-index: 20; display: flex; align-items: center; gap: var(--space-3);
  block-size: 3.5rem; box-sizing: border-box; padding-inline: var(--space-4); border-block-end: 1px solid var(--line);
  background: var(--surface); color: var(--text); font: var(--text-body) / 1.4 var(--sans); white-space: nowrap; }
.product svg { flex: none; }
.product span { color: var(--muted); }
.product nav { display: flex; gap: var(--space-4); margin-inline-start: auto; }
.product a { padding-block: var(--space-3); color: var(--accent); text-underline-offset: 0.2em; }
@media (max-width: 40rem) {
  .product { gap: var(--space-2); }
  .product strong, .product span { display: none; }
}
`
