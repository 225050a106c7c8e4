/** A page that is made from code. */
export interface Page {
  /** From the workspace's root. */
  readonly path: string
  readonly title: string
  /** What is on it, in a sentence. */
  readonly summary: string
  readonly text: string
}
