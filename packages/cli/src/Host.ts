/** The process that runs a command: its environment and its three streams. The commands reach them only through here. */

import type { Readable, Writable } from "node:stream"

/** A stream that a command writes to. Only a terminal has the optional parts. */
export type HostOutput = Writable & Partial<Pick<NodeJS.WriteStream, "isTTY" | "columns" | "hasColors">>

/** The parts of `process` that a command uses. */
export interface Host {
  readonly env: Readonly<NodeJS.ProcessEnv>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: HostOutput
  readonly stderr: HostOutput
}

let current: Host = process

/** The host of the running command. */
export const host = (): Host => current

/** Replaces the host until the result is disposed. One command runs at a time: hosts replaced at once would mix. */
export const replaceHost = (replacement: Host): Disposable => {
  const previous = current
  current = replacement
  return {
    [Symbol.dispose]: () => {
      current = previous
    }
  }
}
