import { readFileSync } from "node:fs"

/** The version of this package. In the sources and in the bundle, its description lies one folder above this module. */
export const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}
