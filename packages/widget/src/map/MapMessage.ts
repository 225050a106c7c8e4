/**
 * The messages between a map and the frame in which the service draws its streets. The frame keeps MapLibre GL, its worker
 * and the tiles out of the page: the page's policy needs no worker, no `blob:` and no tile server, only the frame.
 */

/** What is in the middle, and how large: at zoom 0 the world is 256 pixels wide. */
export interface MapView {
  readonly lat: number
  readonly lng: number
  readonly zoom: number
}

/** From the page. */
export type ToFrame =
  /** Shows a style, or replaces the one that is shown. */
  | { readonly type: "style"; readonly url: string; readonly view: MapView }
  | { readonly type: "move"; readonly view: MapView }

/** From the frame. */
export type FromFrame =
  | { readonly type: "ready" }
  /** The first tiles are drawn. */
  | { readonly type: "shown"; readonly attribution: ReadonlyArray<Attribution> }
  /** Nothing can be drawn; for logs, in English. */
  | { readonly type: "failed"; readonly reason: string }

/** A piece of what a map owes to its sources. */
export interface Attribution {
  readonly text: string
  /** An address on the web, or an empty text. */
  readonly href: string
}
