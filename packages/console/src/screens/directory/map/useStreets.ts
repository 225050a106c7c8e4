/** Streets under a map: the operator's style, drawn in the service's frame. */
import { openStreets, type Streets } from "@postcode/widget/streets"
import { useEffect, useRef, useState } from "preact/hooks"
import type { tiledView } from "./view.ts"

/** What a map has of its streets. */
export interface StreetsState {
  /** Whether the first tiles are drawn. */
  readonly isShown: boolean
  /** What the map owes to its sources. */
  readonly attribution: ReadonlyArray<{ readonly text: string; readonly href: string }>
  /** Why nothing can be drawn. */
  readonly failure: string | undefined
}

const none: StreetsState = { isShown: false, attribution: [], failure: undefined }

/** @param style undefined if the operator has none; then no frame is opened */
export const useStreets = (
  frame: { readonly current: HTMLIFrameElement | null },
  style: string | undefined,
  view: ReturnType<typeof tiledView>
): StreetsState => {
  const [state, setState] = useState(none)
  const shown = useRef(view)
  const streets = useRef<Streets | undefined>(undefined)
  shown.current = view
  useEffect(() => {
    if (style === undefined || frame.current === null) return
    const opened = openStreets(frame.current, {
      frame: "/v1/widget/map",
      style,
      view: () => shown.current,
      onShown: (attribution) => setState({ isShown: true, attribution, failure: undefined }),
      onFailed: (failure) => setState({ ...none, failure })
    })
    streets.current = opened
    return () => opened.close()
  }, [style])
  useEffect(() => streets.current?.move(), [view.lat, view.lng, view.zoom])
  return state
}
