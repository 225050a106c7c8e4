/** Which part of a map is shown, and what changes it. */
import { type Signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { nowhere, type Offset } from "./place.ts"
import { type View, viewOf } from "./view.ts"

/** The view of a map, and its controls. */
export interface MapView {
  readonly view: View
  /** What is in the middle. */
  readonly middle: Offset
  readonly canZoomIn: boolean
  readonly canZoomOut: boolean
  /** Whether the view is that of the beginning, with all units. */
  readonly isFitted: boolean
  /** By pixels that the content moves. */
  readonly pan: (x: number, y: number) => void
  /** Keeps the place at a pixel where it is. */
  readonly zoomAt: (levels: number, x: number, y: number) => void
  /** Goes towards the selected unit, or back to all units. */
  readonly zoom: (levels: number) => void
  readonly fit: () => void
}

/** Zoom levels are powers of 2; at 0, all units are visible. */
interface Look {
  readonly middle: Offset
  readonly level: number
}

const fitted: Look = { middle: nowhere, level: 0 }
const closest = 6
const furthest = -3

/**
 * @param fit_m the distance that is visible in every direction at the beginning
 * @param selected where the selected unit is; the view moves to it if it is outside
 */
export const useMapView = (width: number, fit_m: number, selected: Offset | undefined): MapView => {
  const look: Signal<Look> = useSignal(fitted)
  const { level, middle } = look.value
  const view = viewOf(width, middle, fit_m / 2 ** level)
  const zoomTo = (level: number, middle: Offset) => {
    look.value = { level: Math.min(Math.max(level, furthest), closest), middle }
  }
  useEffect(() => {
    if (selected !== undefined && width > 0 && !isVisible(selected, view)) look.value = { level, middle: selected }
  }, [selected?.east_m, selected?.north_m])
  return {
    view,
    middle,
    canZoomIn: level < closest,
    canZoomOut: level > furthest,
    isFitted: level === 0 && middle === nowhere,
    pan: (x, y) => {
      look.value = {
        level,
        middle: { east_m: middle.east_m - x / view.scale, north_m: middle.north_m + y / view.scale }
      }
    },
    zoomAt: (levels, x, y) => {
      const next = Math.min(Math.max(level + levels, furthest), closest)
      const [east_m, north_m] = [(x - width / 2) / view.scale, (view.height / 2 - y) / view.scale]
      const moved = 1 - 2 ** (level - next)
      zoomTo(next, { east_m: middle.east_m + east_m * moved, north_m: middle.north_m + north_m * moved })
    },
    zoom: (levels) => {
      const next = level + levels
      if (next === 0) return zoomTo(0, nowhere)
      zoomTo(next, levels > 0 && selected !== undefined && isVisible(selected, view) ? selected : middle)
    },
    fit: () => {
      look.value = fitted
    }
  }
}

const isVisible = ({ east_m, north_m }: Offset, { height, width, xOf, yOf }: View): boolean => {
  const [x, y] = [xOf(east_m), yOf(north_m)]
  return x >= 0 && x <= width && y >= 0 && y <= height
}
