/**
 * What the views of apps put into a page, as a page meets it: by its real call signature, and with what it really takes.
 * Each runs in the page, before any script of it. What an app hears stands in `window.told`, by its name.
 */

export interface AppView {
  readonly name: string
  /** The type of value that the app is handed. */
  readonly takes: "object" | "string"
  readonly install: () => void
}

/** `WebView.addJavascriptInterface(object, "PostcodeAndroid")`: a Java method that takes a `String`. */
const javascriptInterface = () => {
  const told: Array<unknown> = []
  Object.assign(window, { told: { ...window.told, javascriptInterface: told } })
  const bridge = {
    postMessage(...given: ReadonlyArray<unknown>) {
      if (this !== bridge) throw new Error("Java bridge method can't be invoked on a non-injected object")
      if (given.length !== 1) throw new Error("Method not found")
      // What is no text arrives as null.
      told.push(typeof given[0] === "string" ? given[0] : null)
    }
  }
  Object.defineProperty(window, "PostcodeAndroid", { value: bridge })
}

/** `WebViewCompat.addWebMessageListener(view, "PostcodeAndroid", rules, listener)`. */
const webMessageListener = () => {
  const told: Array<unknown> = []
  Object.assign(window, { told: { ...window.told, webMessageListener: told } })
  class WebMessageListener extends EventTarget {
    onmessage: ((event: MessageEvent) => void) | null = null
    readonly #isOwn = true
    postMessage(message: unknown, ports: ReadonlyArray<MessagePort> = []) {
      if (!this.#isOwn || ports.length > 0) throw new TypeError("Illegal invocation")
      if (typeof message !== "string" && !(message instanceof ArrayBuffer)) throw new TypeError("expected a string")
      told.push(message)
    }
  }
  Object.defineProperty(window, "PostcodeAndroid", { value: new WebMessageListener() })
}

/**
 * `WKUserContentController.add(handler, name: "postcode")`: takes any value that can be cloned, as an object of its
 * own.
 */
const scriptMessageHandler = () => {
  const told: Array<unknown> = []
  Object.assign(window, { told: { ...window.told, scriptMessageHandler: told } })
  class UserMessageHandler {
    readonly #isOwn = true
    postMessage(...given: ReadonlyArray<unknown>) {
      if (!this.#isOwn || given.length !== 1) throw new TypeError("expected one argument")
      told.push(structuredClone(given[0]))
    }
  }
  Object.assign(window, { webkit: { messageHandlers: { postcode: new UserMessageHandler() } } })
}

/** `WebViewController.addJavaScriptChannel("PostcodeChannel")` of Flutter, on iOS: it hands on texts only. */
const flutterChannel = () => {
  const told: Array<unknown> = []
  Object.assign(window, { told: { ...window.told, flutterChannel: told } })
  class UserMessageHandler {
    readonly #isOwn = true
    postMessage(...given: ReadonlyArray<unknown>) {
      if (!this.#isOwn || given.length !== 1) throw new TypeError("expected one argument")
      if (typeof given[0] === "string") told.push(given[0])
    }
  }
  const PostcodeChannel = new UserMessageHandler()
  const { webkit } = window as { readonly webkit?: { readonly messageHandlers: object } }
  Object.assign(window, {
    PostcodeChannel,
    webkit: { messageHandlers: { ...webkit?.messageHandlers, PostcodeChannel } }
  })
}

/** `<WebView onMessage>` of React Native, on iOS: whatever it is handed, it makes a text of. */
const reactNative = () => {
  const told: Array<unknown> = []
  Object.assign(window, { told: { ...window.told, reactNative: told } })
  const postMessage = (data: unknown) => void told.push(String(data))
  Object.assign(window, { ReactNativeWebView: { postMessage } })
}

export const appViews: ReadonlyArray<AppView> = [
  { name: "javascriptInterface", takes: "string", install: javascriptInterface },
  { name: "webMessageListener", takes: "string", install: webMessageListener },
  { name: "scriptMessageHandler", takes: "object", install: scriptMessageHandler },
  { name: "flutterChannel", takes: "string", install: flutterChannel },
  { name: "reactNative", takes: "string", install: reactNative }
]

declare global {
  interface Window {
    readonly told?: Readonly<Record<string, ReadonlyArray<unknown>>>
  }
}
