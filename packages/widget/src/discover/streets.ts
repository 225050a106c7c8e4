/**
 * Streets under a map: a frame of the service, in which MapLibre GL draws a style. The frame takes no input; whatever fails
 * in it, the map stays as it is without streets.
 */
import type { Attribution, FromFrame, MapView, ToFrame } from "../map/MapMessage.ts"

/** The frame, and what it draws. */
export interface StreetsOptions {
  /** The address of the frame: `/v1/widget/map` of the service. */
  readonly frame: string
  /** The address of a MapLibre style. `{scheme}` becomes `light` or `dark`. */
  readonly style: string
  readonly view: () => MapView
  readonly onShown: (attribution: ReadonlyArray<Attribution>) => void
  /** Called once, after which the frame can be removed. The reason is for logs. */
  readonly onFailed: (reason: string) => void
}

/** Open streets. */
export interface Streets {
  readonly move: () => void
  readonly close: () => void
}

const timeout_ms = 10_000

/**
 * Opens streets in a frame, which becomes of the class `shown` with the first tiles. Its color must be
 * `light-dark(#000, #fff)`, with a transition, so that the streets follow the scheme of the page.
 */
export const openStreets = (
  node: HTMLIFrameElement,
  { frame, onFailed, onShown, style, view }: StreetsOptions
): Streets => {
  const { href, origin } = new URL(frame, document.baseURI)
  let asked = ""
  const send = (message: ToFrame) => node.contentWindow?.postMessage(message, origin)
  const ask = () => {
    // Its colour is defined as black in light, and as white in dark surroundings.
    const scheme = getComputedStyle(node).color === "rgb(0, 0, 0)" ? "light" : "dark"
    const { href: url } = new URL(style.replaceAll("{scheme}", scheme), document.baseURI)
    if (url !== asked) send({ type: "style", url, view: view() })
    asked = url
  }
  const hear = ({ data, origin: from, source }: MessageEvent<FromFrame>) => {
    if (source !== node.contentWindow || from !== origin) return
    if (data.type === "ready") {
      ask()
      // Follows the page from light to dark.
      node.ontransitionend = ask
    } else if (data.type === "failed") fail(data.reason)
    else {
      clearInterval(timer)
      node.className = "shown"
      onShown(data.attribution)
    }
  }
  const check = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === "frame-src" && blockedURI.startsWith(origin)) {
      fail(`the page's content security policy has no frame-src ${origin}`)
    }
  }
  const close = () => {
    clearInterval(timer)
    removeEventListener("message", hear)
    removeEventListener("securitypolicyviolation", check)
  }
  const fail = (reason: string) => {
    close()
    onFailed(reason)
  }
  // Browsers draw nothing in a hidden page.
  const timer = setInterval(() => document.hidden || fail("it took more than 10 s"), timeout_ms)
  addEventListener("message", hear)
  addEventListener("securitypolicyviolation", check)
  node.src = href
  return { close, move: () => asked && send({ type: "move", view: view() }) }
}
