/** A picker to measure, in `<div id="field">`. */
import { fileURLToPath } from "node:url"

export interface Subject {
  /** Its name in figures. */
  readonly name: string
  /** The page's own script, for esbuild. */
  readonly script: string
  /** The folder from which the script's imports are resolved. */
  readonly folder: string
}

export const ours: Subject = {
  name: "postcode-picker",
  script: `
    import "./src/define.ts"
    document.getElementById("field").append(document.createElement("postcode-picker"))`,
  folder: fileURLToPath(new URL("../../packages/widget/", import.meta.url))
}

/** A picker on npm. */
export interface Peer {
  readonly package: string
  /** A version, or any other npm specifier after `@`. */
  readonly version: string
  readonly script: string
}

/** The minimal set-up of each; theme style sheets are not counted. */
export const peers: ReadonlyArray<Peer> = [
  {
    package: "@algolia/autocomplete-js",
    version: "1.19.12",
    script: `
      import { autocomplete } from "@algolia/autocomplete-js"
      autocomplete({ container: "#field", getSources: () => [], detachedMediaQuery: "none" })`
  },
  {
    package: "@mapbox/search-js-web",
    version: "1.6.0",
    script: `
      import { MapboxSearchBox } from "@mapbox/search-js-web"
      const box = new MapboxSearchBox()
      box.accessToken = "pk.none"
      document.getElementById("field").append(box)`
  }
]
