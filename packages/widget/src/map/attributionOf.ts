/** The attribution of sources, which is HTML by convention, as texts and links. */
import type { Attribution } from "./MapMessage.ts"

/** A longer text is cut, as it would cover the map. */
const maxLength = 1_000

/** Tags other than links are removed; of links, only those to the web are kept. */
export const attributionOf = (text: string): ReadonlyArray<Attribution> => {
  const html = text.slice(0, maxLength)
  const found: Array<Attribution> = []
  const add = (text: string, href: string) => {
    const plain = plainOf(text)
    if (plain.trim()) found.push({ text: plain, href: /^https?:\/\//i.test(href) ? href : "" })
  }
  let end = 0
  for (const match of html.matchAll(/<a\b([^>]*)>(.*?)<\/a\s*>/gis)) {
    const [all, attributes = "", text = ""] = match
    add(html.slice(end, match.index), "")
    const [, , href = ""] = /\bhref\s*=\s*(["'])(.*?)\1/is.exec(attributes) ?? []
    add(text, plainOf(href).trim())
    end = match.index + all.length
  }
  add(html.slice(end), "")
  return found
}

const plainOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w+));/gi, (entity, decimal, hex, name) => {
      if (name) return entities[String(name).toLowerCase()] ?? entity
      return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
    })
    .replace(/\s+/g, " ")

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  copy: "©",
  gt: ">",
  lt: "<",
  nbsp: " ",
  quot: '"'
}
