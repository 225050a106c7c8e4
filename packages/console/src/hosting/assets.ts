/** The console's bundled files: bundled on demand from sources, or built in. */

/** A file for browsers. */
export interface ConsoleAsset {
  /** Below `/console/`: `index.html`, `assets/main-3f2a.js`. */
  readonly name: string
  readonly content: string
}

/** Replaced in a build by a module with the built files: see `consoleBuiltIn.ts`. */
export const consoleAssets = async (): Promise<ReadonlyArray<ConsoleAsset>> => {
  // Not a literal, so that bundlers do not include the bundler.
  const bundler = new URL("../../bundleConsole.ts", import.meta.url).href
  const { makeConsoleAssets } = (await import(bundler)) as Bundler
  return makeConsoleAssets()
}

interface Bundler {
  readonly makeConsoleAssets: () => Promise<ReadonlyArray<ConsoleAsset>>
}
