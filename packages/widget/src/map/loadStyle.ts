/** Loads a MapLibre style, and completes the addresses in it, which may be relative to its own. */

/** What is read of a style; MapLibre checks the rest. */
export interface Style {
  readonly version: 8
  readonly sources: Readonly<Record<string, object>>
  readonly layers: ReadonlyArray<object>
  readonly glyphs?: string
  readonly sprite?: unknown
}

/** @throws Error with the reason, for logs */
export const loadStyle = async (url: string): Promise<Style> => {
  if (!/^https?:/.test(url)) throw new Error("the style could not be loaded: expected an address of http or https")
  const response = await fetch(url, { credentials: "omit" }).catch(() => {
    throw new Error("the style could not be loaded: no connection, no CORS, or no such server")
  })
  if (!response.ok) throw new Error(`the style could not be loaded: status ${response.status}`)
  const style = await response.json().catch(() => undefined)
  if (style?.version !== 8 || typeof style.sources !== "object" || !Array.isArray(style.layers)) {
    throw new Error("the style is not a MapLibre style: expected JSON with version 8, sources and layers")
  }
  return withFullAddresses(style, response.url)
}

const withFullAddresses = (style: Style, base: string): Style => {
  const full = (url: string): string => {
    const [, protocol = "", path = ""] = /^(pmtiles:\/\/)?(.*)$/s.exec(url) ?? []
    if (!URL.canParse(path, base)) return url
    // The placeholders of tiles and glyphs stay as they are.
    return protocol + new URL(path, base).href.replace(/%7B/gi, "{").replace(/%7D/gi, "}")
  }
  const sources = Object.entries(style.sources).map(([name, source]) => {
    const { tiles, url } = source as { readonly url?: unknown; readonly tiles?: unknown }
    return [
      name,
      {
        ...source,
        ...(typeof url === "string" && { url: full(url) }),
        ...(Array.isArray(tiles) && { tiles: tiles.map((tile) => full(String(tile))) })
      }
    ]
  })
  return {
    ...style,
    sources: Object.fromEntries(sources),
    ...(style.glyphs && { glyphs: full(style.glyphs) }),
    ...(typeof style.sprite === "string" && { sprite: full(style.sprite) })
  }
}
