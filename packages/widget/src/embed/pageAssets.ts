/** `main.js` and `page.css` of the hosted page: made here and now from sources, and in a build the ones made with it. */

/** A file as a bundler made it. */
export interface PageAsset {
  readonly name: string
  readonly content: string
}

/** A build puts a module in the place of this one that answers what this one makes: see `bundleEmbed.ts`. */
export const pageAssets = async (): Promise<ReadonlyArray<PageAsset>> => {
  // No bundler follows it, for it leads to one.
  const bundler = new URL("../../bundle.ts", import.meta.url).href
  const { makePageAssets } = (await import(bundler)) as Bundler
  return makePageAssets()
}

interface Bundler {
  readonly makePageAssets: () => Promise<ReadonlyArray<PageAsset>>
}
