/** The design tokens: contrasts in both schemes, and the places that must have the same values. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

/** The tokens outside of media queries. */
const [definitions = ""] = textOf("config/tokens.css").split("@media")

const tokenValue = (name: string): string => {
  const [, value] = new RegExp(`--${name}: ([^;]+);`).exec(definitions) ?? []
  if (value === undefined) throw new Error(`config/tokens.css has no --${name}`)
  return value
}

const colour = /^light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)$/

/** A token's colours in the light and the dark scheme. */
const coloursOf = (name: string): readonly [string, string] => {
  const [, light, dark] = colour.exec(tokenValue(name)) ?? []
  if (light === undefined || dark === undefined) throw new Error(`--${name} is not a pair of colours`)
  return [light, dark]
}

/** Relative luminance, as WCAG 2.2 defines it. */
const luminance = (hex: string): number => {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const surfaces = ["ground", "surface", "sunk"]

describe("the design tokens", () => {
  const onSurfaces = ["text", "muted", "accent", "good", "warning", "bad"].flatMap((text) =>
    surfaces.map((surface) => [text, surface] as const)
  )
  it.each([
    ...onSurfaces,
    ["on-accent", "accent"],
    ["on-bad", "bad"],
    ...["accent", "good", "warning", "bad"].flatMap((state) => [
      [state, `${state}-soft`] as const,
      ["text", `${state}-soft`] as const
    ])
  ] as const)("--%s on --%s has a contrast of 4.5 at least, light and dark", (text, ground) => {
    const grounds = coloursOf(ground)
    for (const [scheme, value] of coloursOf(text).entries()) {
      expect(contrast(value, grounds[scheme] ?? "")).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(surfaces)("the edges of controls on --%s have a contrast of 3 at least, light and dark", (ground) => {
    const grounds = coloursOf(ground)
    for (const [scheme, value] of coloursOf("edge").entries()) {
      expect(contrast(value, grounds[scheme] ?? "")).toBeGreaterThanOrEqual(3)
    }
  })

  it("are five sizes of text, spaces by 4 pixels, and motion of at most 150 ms", () => {
    expect(definitions.match(/--text-\w+: /g)).toHaveLength(5)
    for (const [, step = "", rem = ""] of definitions.matchAll(/--space-(\d+): ([\d.]+)rem;/g)) {
      expect(Number(rem) * 16).toBe(Number(step) * 4)
    }
    expect(Number.parseFloat(tokenValue("motion"))).toBeLessThanOrEqual(150)
  })

  it("are the defaults of the widget", () => {
    const styles = textOf("packages/widget/src/styles.ts")
    const defaults = [...styles.matchAll(/var\(--pc-([\w-]+), (light-dark\([^)]*\))/g)]
    expect(defaults.map(([, name]) => name)).toEqual(expect.arrayContaining(["accent", "error"]))
    // Its text and surface are the colours of the system, as it stands in pages of all colours.
    expect(styles).toContain("var(--pc-text, CanvasText)")
    expect(styles).toContain("var(--pc-surface, Canvas)")
    for (const [, name = "", value] of defaults.filter(([, name = ""]) => name !== "accent-text")) {
      expect(value, name).toBe(tokenValue(name === "error" ? "bad" : name))
    }
  })

  it("have the backgrounds of code blocks in the documentation, whose highlighter takes no variables", () => {
    const [light] = coloursOf("ground")
    const [, dark] = coloursOf("surface")
    expect(textOf("site/astro.config.ts")).toContain(`codeBackground: ["${dark}", "${light}"]`)
  })

  it.each(["packages/console/src/style/base.css", "packages/demo/src/page/browser/page.css", "site/src/style.css"])(
    "are the only colours: %s has no others",
    (path) => {
      expect(textOf(path).match(/#[0-9a-f]{3,8}\b(?=[,;) ])|rgb\(/g) ?? []).toEqual([])
    }
  )
})
