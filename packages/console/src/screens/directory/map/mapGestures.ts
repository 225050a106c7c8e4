/** Fingers and mouse on a map. A tap or click that moves nothing stays the click of what it hits. */

/** What gestures mean. Coordinates are pixels from the map's top left corner. */
export interface GestureListener {
  /** By how much the content moves. */
  readonly onPan: (x: number, y: number) => void
  /** @param levels by how much; the place at the coordinate stays where it is */
  readonly onZoom: (levels: number, x: number, y: number) => void
}

interface Held {
  readonly x: number
  readonly y: number
}

/** A finger trembles. */
const tap_px = 8

/** The pointers on one map. */
export class MapGestures {
  private readonly held = new Map<number, Held>()
  private start: Held | undefined
  private isMoved = false

  /** @returns handlers for the element of the map */
  handlers({ onPan, onZoom }: GestureListener) {
    const release = ({ pointerId }: PointerEvent) => void this.held.delete(pointerId)
    return {
      onPointerDown: (event: PointerEvent) => {
        if (event.button > 0) return
        const place = placeOf(event)
        this.held.set(event.pointerId, place)
        // A second finger makes it a pinch.
        this.isMoved = this.held.size > 1
        this.start = place
      },
      onPointerMove: (event: PointerEvent) => {
        const last = this.held.get(event.pointerId)
        if (last === undefined || this.start === undefined) return
        // The button was released outside of the map.
        if (event.buttons === 0) return release(event)
        const place = placeOf(event)
        if (!this.isMoved) {
          if (Math.hypot(place.x - this.start.x, place.y - this.start.y) < tap_px) return
          this.isMoved = true
        }
        // Only now: a captured pointer would click the map, and not the point under it.
        mapOf(event).setPointerCapture(event.pointerId)
        this.held.set(event.pointerId, place)
        const [other] = [...this.held].filter(([id]) => id !== event.pointerId).map(([, held]) => held)
        if (other === undefined) return onPan(place.x - last.x, place.y - last.y)
        const ratio = Math.hypot(place.x - other.x, place.y - other.y) / Math.hypot(last.x - other.x, last.y - other.y)
        if (Number.isFinite(ratio) && ratio > 0) onZoom(Math.log2(ratio), other.x, other.y)
      },
      onPointerUp: release,
      onPointerCancel: release,
      // Only with Ctrl or Cmd, or a pinch, which browsers report as Ctrl: the page has to stay scrollable.
      onWheel: (event: WheelEvent) => {
        if (!event.ctrlKey && !event.metaKey) return
        event.preventDefault()
        const { x, y } = placeOf(event)
        onZoom(Math.max(-1, Math.min(1, -event.deltaY / 100)), x, y)
      }
    }
  }
}

const mapOf = ({ currentTarget }: Event): Element => currentTarget as Element

const placeOf = (event: MouseEvent): Held => {
  const { left, top } = mapOf(event).getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}
