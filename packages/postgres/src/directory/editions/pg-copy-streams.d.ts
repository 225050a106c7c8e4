/** Types for the used part of the package, which has none. */
declare module "pg-copy-streams" {
  import type { Writable } from "node:stream"
  import type { Submittable } from "pg"

  export const from: (statement: string) => Writable & Submittable & { readonly rowCount: number }
}
