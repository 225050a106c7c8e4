/** The page in the frame: it draws the streets of a style, and nothing else. The surrounding page has pins and gestures. */
import { addProtocol, Map as MapLibre, type StyleSpecification, setWorkerUrl } from "maplibre-gl"
import { Protocol } from "pmtiles"
import { attributionOf } from "./attributionOf.ts"
import { loadStyle } from "./loadStyle.ts"
import type { Attribution, FromFrame, MapView, ToFrame } from "./MapMessage.ts"

const worker = new URL("worker.js", import.meta.url).href

/** Only the own worker may run: browsers pass every address of a script through the policy named `default`. */
Reflect.get(globalThis, "trustedTypes")?.createPolicy("default", {
  createScriptURL: (url: string) => (url === worker ? url : null)
})

setWorkerUrl(worker)
// With the attribution of archives.
addProtocol("pmtiles", new Protocol({ metadata: true }).tile)

let map: MapLibre | undefined
/** The style that is shown or being loaded. */
let current = ""

/** No content of another origin is in a message, so any page may read it. */
const tell = (message: FromFrame): void => parent.postMessage(message, "*")

const fail = (reason: string): void => {
  map?.remove()
  map = undefined
  tell({ type: "failed", reason })
}

const show = async (url: string, view: MapView): Promise<void> => {
  current = url
  const style = (await loadStyle(url)) as StyleSpecification
  // Another one was asked for meanwhile.
  if (current !== url) return
  if (map) map.setStyle(style, { diff: false })
  else {
    if (!document.createElement("canvas").getContext("webgl2")) throw new Error("this browser has no WebGL 2")
    map = new MapLibre({
      container: document.body,
      style,
      ...cameraOf(view),
      maxZoom: 24,
      interactive: false,
      attributionControl: false,
      // The service's own cookies, too.
      transformRequest: (address) => ({ url: address, credentials: "omit" as "same-origin" })
    })
    map.on("webglcontextlost", () => fail("the browser has taken the graphics context away"))
  }
  report(map, Object.keys(style.sources).length > 0)
}

/** MapLibre counts zoom by tiles of 512 pixels. */
const cameraOf = ({ lat, lng, zoom }: MapView) => ({ center: [lng, lat] as [number, number], zoom: zoom - 1 })

const tick_ms = 500
/** After all is loaded, and no tile is among it; and after a failure, in which others may still load. */
const ticks = { loaded: 2, failed: 6 }

/** Tells once whether something is drawn: with the first tile, or when there is none to come. */
const report = (map: MapLibre, hasSources: boolean): void => {
  let problem = ""
  let waited = 0
  const onError = map.on("error", ({ error }) => {
    problem ||= error?.message ?? String(error)
  })
  const onTile = map.on("sourcedata", ({ tile }) => {
    if (tile && tile.state !== "errored") map.once("render", () => finish(true))
  })
  // MapLibre reports nothing after tiles that are missing.
  const timer = setInterval(() => {
    const isLoaded = map.loaded()
    waited = isLoaded || problem ? waited + 1 : 0
    if (waited >= (isLoaded && !problem ? ticks.loaded : ticks.failed)) finish(!(hasSources || problem))
  }, tick_ms)
  const finish = (isShown: boolean): void => {
    clearInterval(timer)
    for (const { unsubscribe } of [onError, onTile]) unsubscribe()
    if (isShown) tell({ type: "shown", attribution: attributions(map) })
    else fail(problem ? `no tile could be loaded: ${problem.slice(0, 200)}` : "the sources have no tile of this place")
  }
}

const attributions = (map: MapLibre): ReadonlyArray<Attribution> => {
  const texts = Object.keys(map.getStyle().sources).map((name) => String(map.getSource(name)?.attribution ?? ""))
  return [...new Set(texts)].flatMap((text) => attributionOf(text))
}

addEventListener("message", ({ data, source }: MessageEvent<ToFrame>) => {
  if (source !== parent || source === window) return
  if (data.type === "move") map?.jumpTo(cameraOf(data.view))
  else if (data.type === "style") {
    show(data.url, data.view).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
  }
})
tell({ type: "ready" })
