/** `main.js` and `page.css` of the hosted page: bundled on demand from sources, or built in. */

/** A bundled file. */
export interface PageAsset {
  readonly name: string
  readonly content: string
}

/** Replaced in a build by a module with the built files: see `bundleEmbed.ts`. */
export const pageAssets = async (): Promise<ReadonlyArray<PageAsset>> => {
  // Not a literal, so that bundlers do not include the bundler.
  const bundler = new URL("../../bundle.ts", import.meta.url).href
  const { makePageAssets } = (await import(bundler)) as Bundler
  return makePageAssets()
}

interface Bundler {
  readonly makePageAssets: () => Promise<ReadonlyArray<PageAsset>>
}
