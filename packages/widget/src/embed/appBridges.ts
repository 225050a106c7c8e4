/** Native apps that show the page in a WebView. Each kind of WebView adds its own object to the page. */
import type { EmbedMessage } from "./Message.ts"

/**
 * Sends a message to every bridge. They are looked up at each message, since some WebViews add their object late. An
 * error in one does not affect the others.
 */
export const postToApps = (message: EmbedMessage): void => {
  for (const tell of bridges()) {
    try {
      tell(message)
    } catch (error) {
      reportError(error)
    }
  }
}

/** Called as methods: Android refuses detached functions. */
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
  /** Android: of `WebViewCompat.addWebMessageListener` or `addJavascriptInterface`; both accept text. */
  readonly PostcodeAndroid?: TextBridge
  /** Flutter: a JavaScript channel. */
  readonly PostcodeChannel?: TextBridge
  /** React Native, where the view has an `onMessage`. */
  readonly ReactNativeWebView?: TextBridge
  /** WebKit: a script message handler, which accepts an object. */
  readonly webkit?: {
    readonly messageHandlers?: { readonly postcode?: { readonly postMessage: (message: object) => void } }
  }
}

interface TextBridge {
  readonly postMessage: (message: string) => void
}
