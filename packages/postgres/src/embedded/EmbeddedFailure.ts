/** Why an embedded server cannot be used. Each message says what to do. */

/** The server, its folder or a backup cannot be used. */
export class EmbeddedFailure extends Error {
  override readonly name: string = "EmbeddedFailure"
}

/** PostgreSQL's programs are not available on this machine. */
export class ProgramsMissing extends EmbeddedFailure {
  override readonly name = "ProgramsMissing"
}

/** Another process uses the folder. */
export class FolderInUse extends EmbeddedFailure {
  override readonly name = "FolderInUse"
}

/** The refusal of a folder, with the process that has it. */
export const folderInUse = ({ path }: { readonly path: string }, holder: string | undefined): FolderInUse =>
  new FolderInUse(`${path} is in use by ${holder ?? "another process"}`)

/** The failure for a full disk. */
export const noSpace = ({ path }: { readonly path: string }, reason: string): EmbeddedFailure =>
  new EmbeddedFailure(`no space is left for ${path}, so PostgreSQL cannot run: free some space (${reason})`)

/** Whether an error of a statement or a connection is that of a full disk. */
export const isFullDisk = (error: unknown): boolean => codeOf(error) === "53100"

/** The message of any error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of a system's error, such as `ENOENT`; undefined for other errors. */
export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === "string" ? code : undefined
}
