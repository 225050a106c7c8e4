import { lengthText, niceStep } from "./scale.ts"
import type { Grid, View } from "./view.ts"

export interface MapBackgroundProps {
  readonly grid: Grid
  readonly radius_m: number
  readonly view: View
}

/** The map's background: grid, searched point and radius, scale and north arrow. */
export const MapBackground = ({ grid, radius_m, view }: MapBackgroundProps) => {
  const { height, scale, width, xOf, yOf } = view
  const bar_m = niceStep(width / 4 / scale)
  const [x, y] = [xOf(0), yOf(0)]
  const end = width - 12
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <g class="ground" aria-hidden="true">
      {grid.meridians.map(({ at, text }) => (
        <g key={text}>
          <path d={`M${at} 0V${height}`} />
          {at + 8 * text.length < width && (
            <text x={at + 3} y={height - 5}>
              {text}
            </text>
          )}
        </g>
      ))}
      {grid.parallels.map(({ at, text }) => (
        <g key={text}>
          <path d={`M0 ${at}H${width}`} />
          {at > belowButtons && (
            <text x={4} y={at - 4}>
              {text}
            </text>
          )}
        </g>
      ))}
      <circle class="radius" cx={x} cy={y} r={radius_m * scale} />
      <path class="center" d={`M${x - 7} ${y}h14M${x} ${y - 7}v14`} />
      <path class="ruler" d={`M${end - bar_m * scale} ${height - 24}v6H${end}v-6`} />
      <text class="measure" x={end} y={height - 28}>
        {lengthText(bar_m)}
      </text>
      <path class="ruler" d={`M${width - 18} 34V10m-5 7 5-8 5 8`} />
      <text class="measure" x={width - 13} y={46}>
        N
      </text>
    </g>
  )
}

/** The lower edge of the map's buttons, in pixels from the top. */
const belowButtons = 68
