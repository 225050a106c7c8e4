/** The console's files as a bundler made them: here and now from sources, and in a build the ones made with it. */

/** A file that a browser takes. */
export interface ConsoleAsset {
  /** Below `/console/`: `index.html`, `assets/main-3f2a.js`. */
  readonly name: string
  readonly content: string
}

/** A build puts a module in the place of this one that answers what this one makes: see `consoleBuiltIn.ts`. */
export const consoleAssets = async (): Promise<ReadonlyArray<ConsoleAsset>> => {
  // No bundler follows it, for it leads to one.
  const bundler = new URL("../../bundleConsole.ts", import.meta.url).href
  const { makeConsoleAssets } = (await import(bundler)) as Bundler
  return makeConsoleAssets()
}

interface Bundler {
  readonly makeConsoleAssets: () => Promise<ReadonlyArray<ConsoleAsset>>
}
