/** Identifies the files of the frame in their addresses, so that browsers can keep them forever. */

/** Replaced in a build by the digest of the built files: see `bundleMap.ts`. From sources, it is that of the sources. */
export const mapDigest = async (): Promise<string> => {
  const bundler = new URL("../../bundle.ts", import.meta.url).href
  const { digestOfSources } = (await import(bundler)) as Bundler
  return digestOfSources()
}

interface Bundler {
  readonly digestOfSources: () => Promise<string>
}
