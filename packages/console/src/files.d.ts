/** Vite's imports of files that are not modules. */
declare module "*.css"
declare module "*.svg" {
  const address: string
  // biome-ignore lint/style/noDefaultExport: that is how Vite gives it
  export default address
}

/** The version of this package, equal to the service's. */
declare const CONSOLE_VERSION: string
