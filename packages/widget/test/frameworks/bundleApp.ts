/** The checkout of a framework as one script, with the picker's sources in it. */
import { readFile } from "node:fs/promises"
import { build, type Plugin } from "esbuild"
import { compile } from "svelte/compiler"
import { compileTemplate, parse } from "vue/compiler-sfc"

export const frameworks = ["React 17", "React 18", "React 19", "Vue 3", "Svelte 5", "Alpine 3"] as const
export type Framework = (typeof frameworks)[number]

const picker = `import "../../src/define.ts"\n`
const modernReact = `
import { createElement } from "react"
import { createRoot } from "react-dom/client"
import { checkout } from "./reactCheckout.ts"
createRoot(document.getElementById("app")).render(createElement(checkout))`

/** What mounts the checkout in the element `app`. */
const entries: Readonly<Record<Framework, string>> = {
  "React 17": `
import { createElement } from "react"
import { render } from "react-dom"
import { checkout } from "./reactCheckout.ts"
render(createElement(checkout), document.getElementById("app"))`,
  "React 18": modernReact,
  "React 19": modernReact,
  "Vue 3": `${picker}
import { createApp } from "vue"
import { render } from "./Checkout.vue"
import { settings } from "./settings.ts"
const data = () => ({ settings: settings(), code: "", picked: [], filled: { street: "", lga: "", state: "" } })
createApp({ data, render }).mount("#app")`,
  "Svelte 5": `${picker}
import { mount } from "svelte"
import Checkout from "./Checkout.svelte"
mount(Checkout, { target: document.getElementById("app") })`,
  "Alpine 3": `${picker}
import Alpine from "alpinejs"
Alpine.start()`
}

/** The text of a module script. */
export const bundleApp = (framework: Framework): Promise<string> =>
  bundle(entries[framework], /React (17|18)/.exec(framework)?.[1])

/** A program of React, for a browser or for Node. */
export const bundleReact = (
  version: "17" | "18" | "19",
  contents: string,
  platform: "browser" | "node"
): Promise<string> => bundle(contents, version === "19" ? undefined : version, platform)

/** @param react its version, if it is not that of the workspace */
const bundle = async (contents: string, react?: string, platform: "browser" | "node" = "browser"): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform,
    format: platform === "node" ? "cjs" : "esm",
    target: "es2023",
    write: false,
    conditions: ["@postcode/source"],
    define: { "process.env.NODE_ENV": '"development"', __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false" },
    plugins: [templates, ...(react ? [reactOf(react)] : [])]
  })
  return outputFiles[0]?.text ?? ""
}

/** Also for `react-dom`, which would find the React of the workspace. */
const reactOf = (version: string): Plugin => ({
  name: `react-${version}`,
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^react(-dom)?(\/.*)?$/ }, ({ kind, path }) => {
      const aliased = path.replace(/^react(-dom)?/, (name) => `${name}-${version}`)
      return resolve(aliased, { kind, resolveDir: import.meta.dirname })
    })
  }
})

const templates: Plugin = {
  name: "templates",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { js } = compile(await readFile(path, "utf8"), { filename: path, generate: "client" })
      return { contents: js.code, loader: "js" }
    })
    onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const isCustomElement = (tag: string) => tag === "postcode-picker"
      const source = parse(await readFile(path, "utf8")).descriptor.template?.content ?? ""
      const { code } = compileTemplate({ source, filename: path, id: "checkout", compilerOptions: { isCustomElement } })
      return { contents: code, loader: "js" }
    })
  }
}
