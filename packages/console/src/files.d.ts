/** What Vite makes of files that are no modules. */
declare module "*.css"
declare module "*.svg" {
  const address: string
  // biome-ignore lint/style/noDefaultExport: that is how Vite gives it
  export default address
}

/** The version of this package, which is that of the service. */
declare const CONSOLE_VERSION: string
