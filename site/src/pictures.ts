/**
 * Pictures with one file for each colour scheme, as `<picture>` names them for browsers. Readers of the site choose the
 * scheme themselves, so all files are in the page, and style.css shows one.
 */
import { nodesIn, parseMarkdown, rangeOf } from "./markdown.ts"

/** The text with Markdown images in place of each `<picture>`. */
export const withPictures = (markdown: string): string =>
  nodesIn(parseMarkdown(markdown))
    .filter(({ type, value }) => type === "html" && value?.startsWith("<picture>"))
    .reverse()
    .reduce((text, node) => {
      const [from, to] = rangeOf(node)
      return text.slice(0, from) + imagesOf(node.value ?? "") + text.slice(to)
    }, markdown)

const imagesOf = (picture: string): string => {
  const [tag = ""] = /<img [^>]*>/.exec(picture) ?? []
  const images = [...picture.matchAll(/<source [^>]*>/g)].map(([source]) => ({
    media: attributeOf(source, "media"),
    file: attributeOf(source, "srcset")
  }))
  const hasStill = images.some(({ media }) => media.includes("reduced-motion"))
  return [...images, { media: "", file: attributeOf(tag, "src") }]
    .map(({ file, media }) => {
      const motion = media.includes("reduced-motion") ? " still" : " moving"
      const classes = `picture ${media.includes("dark") ? "dark" : "light"}${hasStill ? motion : ""}`
      const style = `max-inline-size: ${attributeOf(tag, "width")}px`
      return `<span class="${classes}" style="${style}">![${attributeOf(tag, "alt")}](${file})</span>`
    })
    .join("")
}

const attributeOf = (tag: string, name: string): string => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  if (value === undefined) throw new Error(`This has no ${name}: ${tag}`)
  return value
}
