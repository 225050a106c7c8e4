import { readFileSync } from "node:fs"

/** The version of this package. From the sources and from the bundle, package.json is one folder above. */
export const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}
