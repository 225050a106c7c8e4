/** Modules without types. */

/** A data module of a Worker: its bytes. */
declare module "*.snapshot" {
  const bytes: ArrayBuffer
  export default bytes
}

/** The path of the program for this platform. */
declare module "workerd" {
  const workerd: { readonly default: string }
  export default workerd
}
