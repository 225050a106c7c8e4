/** The available width of a picture drawn in pixels, so that its text keeps its size. */
import { useLayoutEffect, useState } from "preact/hooks"

/** @returns pixels, at least 200; follows the element */
export const useWidth = (element: { readonly current: HTMLElement | null }): number => {
  const [width, setWidth] = useState(narrowest)
  useLayoutEffect(() => {
    const observed = element.current
    if (observed === null) return
    const measure = () => setWidth(Math.max(narrowest, observed.clientWidth))
    const observer = new ResizeObserver(measure)
    observer.observe(observed)
    measure()
    return () => observer.disconnect()
  }, [element])
  return width
}

const narrowest = 200
