/** Fingers, mouse and keys on a map. */

/** What they mean. Coordinates are pixels from the map's top left corner. */
export interface GestureListener {
  /** Whether a drag that starts here moves the pin, and not the map. */
  readonly isPin: (x: number, y: number) => boolean
  readonly onTap: (x: number, y: number) => void
  readonly onPan: (x: number, y: number) => void
  readonly onPinDrag: (x: number, y: number) => void
  /** @param levels by how much; the place at the coordinate stays where it is, by default that in the middle */
  readonly onZoom: (levels: number, x?: number, y?: number) => void
  /** Arrow keys, in steps: with Shift they move the map. */
  readonly onStep: (x: number, y: number, isPan: boolean) => void
  readonly onHome: () => void
  /** To the next unit of the list, or with -1 to the one before. */
  readonly onNext: (step: number) => void
  readonly onConfirm: () => void
}

interface Held {
  x: number
  y: number
}

/** A finger trembles. */
const tap_px = 8

/** Listens on the map; returns nothing, because the listeners go with the element. */
export const listenToGestures = (map: HTMLElement, listener: GestureListener): void => {
  const held = new Map<number, Held>()
  let start: Held | undefined
  let isPin = false
  const placeOf = ({ clientX, clientY }: MouseEvent): Held => {
    const { left, top } = map.getBoundingClientRect()
    // The drawing begins inside of the border.
    return { x: clientX - left - map.clientLeft, y: clientY - top - map.clientTop }
  }
  map.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return
    const place = placeOf(event)
    held.set(event.pointerId, place)
    map.setPointerCapture(event.pointerId)
    // A second finger makes it a pinch.
    start = held.size === 1 ? { ...place } : undefined
    isPin = held.size === 1 && listener.isPin(place.x, place.y)
  })
  map.addEventListener("pointermove", (event) => {
    const last = held.get(event.pointerId)
    if (last === undefined) return
    const { x, y } = placeOf(event)
    if (start !== undefined) {
      if (Math.hypot(x - start.x, y - start.y) < tap_px) return
      start = undefined
    }
    const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, place]) => place)
    if (other !== undefined) {
      const ratio = Math.hypot(x - other.x, y - other.y) / Math.hypot(last.x - other.x, last.y - other.y)
      if (Number.isFinite(ratio) && ratio > 0) listener.onZoom(Math.log2(ratio), other.x, other.y)
    } else if (isPin) listener.onPinDrag(x, y)
    else listener.onPan(x - last.x, y - last.y)
    held.set(event.pointerId, { x, y })
  })
  const release = (event: PointerEvent) => {
    if (!held.delete(event.pointerId)) return
    if (event.type === "pointerup" && start !== undefined) listener.onTap(start.x, start.y)
    start = undefined
  }
  map.addEventListener("pointerup", release)
  map.addEventListener("pointercancel", release)
  map.addEventListener(
    "wheel",
    (event) => {
      // Otherwise the page could not be scrolled past the map. A trackpad's pinch comes with Ctrl.
      if (!event.ctrlKey && !map.matches(":focus")) return
      event.preventDefault()
      const { x, y } = placeOf(event)
      listener.onZoom(Math.max(-1, Math.min(1, -event.deltaY / (event.ctrlKey ? 50 : 200))), x, y)
    },
    { passive: false }
  )
  map.addEventListener("keydown", (event) => {
    if (event.target !== map || event.altKey || event.ctrlKey || event.metaKey || !onKey(event, listener)) return
    event.preventDefault()
    event.stopPropagation()
  })
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0]
}

const onKey = ({ key, shiftKey }: KeyboardEvent, listener: GestureListener): boolean => {
  const arrow = arrows[key]
  if (arrow !== undefined) listener.onStep(...arrow, shiftKey)
  else if (key === "+" || key === "=") listener.onZoom(1)
  else if (key === "-") listener.onZoom(-1)
  else if (key === "PageDown") listener.onNext(1)
  else if (key === "PageUp") listener.onNext(-1)
  else if (key === "Home") listener.onHome()
  else if (key === "Enter") listener.onConfirm()
  else return false
  return true
}
