/** The map and the table of the units around a place. */
import { demoUnits } from "@postcode/demo"
import type { Page } from "playwright-core"

export interface Point {
  readonly lat: number
  readonly lon: number
}

/** Two units next to each other, as the directory of the site has them. */
export const neighbours = (): readonly [Point, Point] => {
  const [chunk] = demoUnits({ units: 20_000 })
  if (chunk === undefined) throw new Error("there are no units")
  const active = [...chunk.active.keys()].filter((at) => chunk.active[at] === 1)
  const pointAt = (at = 0) => ({ lat: (chunk.lat_e7[at] ?? 0) / 1e7, lon: (chunk.lon_e7[at] ?? 0) / 1e7 })
  return [pointAt(active[0]), pointAt(active[1])]
}

export const placeOf = ({ lat, lon }: Point) => `/directory?tab=place&lat=${lat}&lon=${lon}`
export const rows = (page: Page) =>
  page.getByRole("table", { name: "Units found, nearest first" }).getByRole("rowheader")
export const points = (page: Page) => page.getByRole("group", { name: /^Map of/ }).getByRole("button")
export const pixelsOf = async (page: Page, at: number) => {
  const circle = points(page).nth(at).locator("circle").last()
  return { x: Number(await circle.getAttribute("cx")), y: Number(await circle.getAttribute("cy")) }
}
