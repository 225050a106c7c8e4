/** A page that is generated from code. */
export interface Page {
  /** From the workspace's root. */
  readonly path: string
  readonly text: string
}
