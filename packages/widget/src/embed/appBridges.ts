/** Apps that show the page in a view of their own. Each kind of view puts an object of its own into the page. */
import type { EmbedMessage } from "./Message.ts"

/**
 * Tells every app that is there, once. They are looked for at each message, for some views bring their object late. One
 * that throws keeps nothing from the others.
 */
export const tellApps = (message: EmbedMessage): void => {
  for (const tell of bridges()) {
    try {
      tell(message)
    } catch (error) {
      reportError(error)
    }
  }
}

/** The objects are called by their method, never by a copy of it: Android refuses that. */
const bridges = (): ReadonlyArray<(message: EmbedMessage) => void> => {
  const { PostcodeAndroid, PostcodeChannel, ReactNativeWebView, webkit } = window as AppWindow
  const takeText = [PostcodeAndroid, PostcodeChannel, ReactNativeWebView].filter((bridge) => bridge !== undefined)
  const takeObject = webkit?.messageHandlers?.postcode
  return [
    ...takeText.map((bridge) => (message: EmbedMessage) => bridge.postMessage(JSON.stringify(message))),
    ...(takeObject ? [(message: EmbedMessage) => takeObject.postMessage(message)] : [])
  ]
}

interface AppWindow extends Window {
  /** Android: of `WebViewCompat.addWebMessageListener`, or of `addJavascriptInterface`; both take a text. */
  readonly PostcodeAndroid?: TakesText
  /** Flutter: a JavaScript channel. */
  readonly PostcodeChannel?: TakesText
  /** React Native, where the view has an `onMessage`. */
  readonly ReactNativeWebView?: TakesText
  /** WebKit: a script message handler, which takes an object. */
  readonly webkit?: {
    readonly messageHandlers?: { readonly postcode?: { readonly postMessage: (message: object) => void } }
  }
}

interface TakesText {
  readonly postMessage: (message: string) => void
}
