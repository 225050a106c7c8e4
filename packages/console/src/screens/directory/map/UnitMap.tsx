import { useMemo, useRef } from "preact/hooks"
import { useWidth } from "../../../hooks/useWidth.ts"
import { counted } from "../../../kit/data/Amount.tsx"
import { Button } from "../../../kit/forms/Button.tsx"
import { instance } from "../../../state/instance.ts"
import type { Found, PlacedUnit } from "../findUnits.ts"
import { type Box, placeLabels } from "./labels.ts"
import { MapBackground } from "./MapBackground.tsx"
import { MapGestures } from "./mapGestures.ts"
import { directionOf, type Offset } from "./place.ts"
import { type MapView, useMapView } from "./useMapView.ts"
import { type StreetsState, useStreets } from "./useStreets.ts"
import { type Grid, gridOf, tiledView, type View } from "./view.ts"

export interface UnitMapProps {
  readonly found: Found
  /** The postcode of the selected unit. */
  readonly selected: string | undefined
  readonly onSelect: (postcode: string) => void
}

/** A map of the found units, north up. The table beside it has the same content. */
export const UnitMap = ({ found, onSelect, selected }: UnitMapProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const gestures = useMemo(() => new MapGestures(), [])
  const units = found.units.filter(hasOffset)
  const chosen = units.find(({ postcode }) => postcode === selected)
  const map = useMapView(width, fitting(units, found.radius_m), chosen?.offset)
  const { view } = map
  const style = instance.value?.mapStyle
  const tiles = useRef<HTMLIFrameElement>(null)
  const streets = useStreets(tiles, style, tiledView(found.center, map.middle, view))
  const grid = streets.isShown ? noGrid : gridOf(found.center, view)
  return (
    <>
      <div class="map" ref={frame}>
        {style && !streets.failure && (
          <iframe ref={tiles} title="Streets" aria-hidden="true" tabindex={-1} height={view.height} />
        )}
        {/* biome-ignore lint/a11y/useSemanticElements: there are no fieldsets in SVG */}
        <svg
          viewBox={`0 0 ${view.width} ${view.height}`}
          height={view.height}
          role="group"
          aria-label={`Map of ${counted(units.length, "unit")} around the searched point. ${units.length === 0 ? "" : "Use the arrow keys to move between units. "}Shift and the arrow keys move the map, and plus and minus zoom.`}
          // Without units, nothing in it takes the focus.
          tabindex={units.length === 0 ? 0 : undefined}
          onKeyDown={(event) => {
            if (event.altKey || event.ctrlKey || event.metaKey || !onKey(event, map)) return
            event.preventDefault()
          }}
          {...gestures.handlers({ onPan: map.pan, onZoom: map.zoomAt })}
        >
          <MapBackground grid={grid} radius_m={found.radius_m} view={view} />
          <Points units={units} grid={grid} view={view} selected={selected} onSelect={onSelect} />
        </svg>
        <div class="actions">
          <Button icon="plus" label="Zoom in" isDisabled={!map.canZoomIn} onClick={() => map.zoom(1)} />
          <Button icon="minus" label="Zoom out" isDisabled={!map.canZoomOut} onClick={() => map.zoom(-1)} />
          <Button isDisabled={map.isFitted} onClick={map.fit}>
            Fit
          </Button>
        </div>
      </div>
      <StreetsNote {...streets} />
    </>
  )
}

/** Beside streets, a grid of coordinates is of no use. */
const noGrid: Grid = { meridians: [], parallels: [] }

/** What the map owes to the sources of its streets, or why it has none. */
const StreetsNote = ({ attribution, failure }: StreetsState) => {
  if (failure !== undefined) return <p class="muted">No streets are shown: {failure}.</p>
  if (attribution.length === 0) return null
  return (
    <p class="muted">
      Streets:{" "}
      {attribution.map(({ href, text }) =>
        href ? (
          <a key={text} href={href} target="_blank" rel="noopener noreferrer">
            {text}
          </a>
        ) : (
          text
        )
      )}
    </p>
  )
}

/** @returns whether the key means something */
const onKey = ({ key, shiftKey }: KeyboardEvent, { pan, zoom }: MapView): boolean => {
  const [x, y] = (shiftKey && arrows[key]) || [0, 0]
  if (x !== 0 || y !== 0) pan(-x * step_px, -y * step_px)
  else if (key === "+" || key === "=") zoom(1)
  else if (key === "-") zoom(-1)
  else return false
  return true
}

const step_px = 60
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0]
}

interface OnMap extends PlacedUnit {
  readonly offset: Offset
}

const hasOffset = (unit: PlacedUnit): unit is OnMap => unit.offset !== undefined

/** The smallest view that contains all units. */
const fitting = (units: ReadonlyArray<OnMap>, radius_m: number): number =>
  units.length === 0 ? Math.max(radius_m, 1) : Math.max(5, ...units.map(({ distance_m }) => distance_m))

interface PointsProps extends Omit<UnitMapProps, "found"> {
  readonly units: ReadonlyArray<OnMap>
  readonly grid: Grid
  readonly view: View
}

/** A roving tab index: Tab reaches one unit, arrow keys the others. */
const Points = ({ grid, onSelect, selected, units, view }: PointsProps) => {
  const group = useRef<SVGGElement>(null)
  const shared = sharedStart(units.map(({ display }) => display))
  const points = units.map(({ display, offset }) => ({
    x: view.xOf(offset.east_m),
    y: view.yOf(offset.north_m),
    text: display.slice(shared.length)
  }))
  const current = Math.max(
    0,
    units.findIndex(({ postcode }) => postcode === selected)
  )
  const labels = labelsFor(points, current, grid, view)
  const go = (at: number) => {
    const unit = units[Math.min(Math.max(at, 0), units.length - 1)]
    if (unit === undefined) return
    onSelect(unit.postcode)
    group.current?.querySelector<SVGGElement>(`[data-postcode="${unit.postcode}"]`)?.focus()
  }
  return (
    <g ref={group}>
      {units.map((unit, at) => {
        const { text = "", x = 0, y = 0 } = points[at] ?? {}
        const label = labels[at]
        return (
          // biome-ignore lint/a11y/useSemanticElements: there are no buttons in SVG
          <g
            key={unit.postcode}
            class="point"
            role="button"
            data-postcode={unit.postcode}
            tabindex={at === current ? 0 : -1}
            aria-pressed={unit.postcode === selected}
            aria-label={`${unit.display}, ${whereabouts(unit)}`}
            onClick={() => onSelect(unit.postcode)}
            onKeyDown={(event) => {
              const to = event.shiftKey ? undefined : keys[event.key]?.(at, units.length)
              if (to === undefined) return
              event.preventDefault()
              go(to)
            }}
          >
            <circle cx={x} cy={y} r={11} class="reach" />
            <circle cx={x} cy={y} r={unit.postcode === selected ? 7 : 4.5} />
            {label && (
              <text x={label.x} y={label.y + 11.5}>
                {text}
              </text>
            )}
          </g>
        )
      })}
      {shared !== "" && (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus
        <text class="shared" x={view.width / 2} y={view.width < besideButtons ? 64 : 20} aria-hidden="true">
          {shared}…
        </text>
      )}
    </g>
  )
}

/** On narrower maps, in pixels, the common prefix stands below the buttons. */
const besideButtons = 440

/** The common prefix of all postcodes, which labels omit. */
const sharedStart = (displays: ReadonlyArray<string>): string => {
  const [first = "", ...others] = displays
  const segments = others.length === 0 ? [] : first.split(" ")
  const count = segments.findIndex((_, at) => {
    const start = `${segments.slice(0, at + 1).join(" ")} `
    return others.some((other) => !other.startsWith(start))
  })
  return count < 1 ? "" : `${segments.slice(0, count).join(" ")} `
}

/** `34.5 m north-east` */
export const whereabouts = ({ distance_m, offset }: PlacedUnit): string =>
  `${distance_m.toFixed(1)} m${offset === undefined || distance_m === 0 ? "" : ` ${directionOf(offset)}`}`

const keys: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
  Enter: (at) => at,
  " ": (at) => at
}

/** The selected unit's label is placed first. */
const labelsFor = (
  points: ReadonlyArray<{ readonly x: number; readonly y: number; readonly text: string }>,
  current: number,
  { parallels }: Grid,
  { height, width }: View
): ReadonlyArray<Box | undefined> => {
  const first = points[current]
  if (first === undefined) return []
  const others = points.filter((_, at) => at !== current)
  const taken = [
    { x: 0, y: height - 18, width, height: 18 },
    { x: 0, y: 0, width: 150, height: 52 },
    { x: width / 2 - 60, y: 4, width: 120, height: 20 },
    ...parallels.map(({ at, text }) => ({ x: 0, y: at - 16, width: 7 * text.length, height: 16 })),
    { x: width - 34, y: 0, width: 34, height: 48 }
  ]
  const [own, ...rest] = placeLabels([first, ...others], { x: 0, y: 0, width, height }, taken)
  return [...rest.slice(0, current), own, ...rest.slice(current)]
}
