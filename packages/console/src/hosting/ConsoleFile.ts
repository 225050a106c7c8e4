/** A file of the console or of the guides, as a server gets it. */

/** An immutable file. Structured-cloneable, to be sent to a worker. */
export interface ConsoleFile {
  readonly path: string
  readonly contentType: string
  readonly content: string
  readonly headers: Readonly<Record<string, string>>
  /** The address of the management API. */
  readonly host: "gateway"
}
