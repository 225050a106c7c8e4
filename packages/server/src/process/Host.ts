/** The environment and the three streams of the process. Commands access them only through this module. */

import type { Readable, Writable } from "node:stream"

/** An output stream. Only terminals have the optional methods. */
export type HostOutput = Writable & Partial<Pick<NodeJS.WriteStream, "isTTY" | "columns" | "hasColors">>

/** The members of `process` that commands use. */
export interface Host {
  readonly env: Readonly<NodeJS.ProcessEnv>
  readonly stdin: Readable & { readonly isTTY?: boolean; readonly setRawMode?: (isRaw: boolean) => unknown }
  readonly stdout: HostOutput
  readonly stderr: HostOutput
}

let current: Host = process

/** The current host. */
export const host = (): Host => current

/** An environment variable; undefined if it is not set, or blank. */
export const variableOf = (name: string): string | undefined => host().env[name]?.trim() || undefined

/** Replaces the host until the result is disposed. Commands must not run concurrently, since all share the host. */
export const replaceHost = (replacement: Host): Disposable => {
  const previous = current
  current = replacement
  return {
    [Symbol.dispose]: () => {
      current = previous
    }
  }
}
