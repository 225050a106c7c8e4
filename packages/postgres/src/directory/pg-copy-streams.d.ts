/** The part of the package that the import uses; it comes without types. */
declare module "pg-copy-streams" {
  import type { Writable } from "node:stream"
  import type { Submittable } from "pg"

  export const from: (statement: string) => Writable & Submittable & { readonly rowCount: number }
}
