/** `map.js` and `worker.js` of the frame that draws streets: bundled on demand from sources, or built in. */
import type { PageAsset } from "../embed/pageAssets.ts"

/** Replaced in a build by a module with the built files: see `bundleMap.ts`. */
export const mapAssets = async (): Promise<ReadonlyArray<PageAsset>> => {
  // Not a literal, so that bundlers do not include the bundler.
  const bundler = new URL("../../bundle.ts", import.meta.url).href
  const { makeMapAssets } = (await import(bundler)) as Bundler
  return makeMapAssets()
}

interface Bundler {
  readonly makeMapAssets: () => Promise<ReadonlyArray<PageAsset>>
}
