/** Reads a line from the terminal without showing it. */

import { host } from "@postcode/server/process/Host"
import { Effect } from "effect"

/** The line without its end. Ctrl-C interrupts the command. */
export const readHidden = (prompt: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const { stderr, stdin } = host()
    let line = ""
    const end = (result: Effect.Effect<string>) => {
      stop()
      stderr.write("\n")
      resume(result)
    }
    const onData = (chunk: Buffer | string) => {
      for (const character of String(chunk)) {
        if (character === "\r" || character === "\n" || character === endOfInput) return end(Effect.succeed(line))
        if (character === ctrlC) return end(Effect.interrupt)
        if (character === backspace || character === "\b") line = line.slice(0, -1)
        else line += character
      }
    }
    const onEnd = () => end(Effect.succeed(line))
    const stop = () => {
      stdin.off("data", onData).off("end", onEnd).pause()
      stdin.setRawMode?.(false)
    }
    // Before the prompt, so that nothing that is typed in answer to it is shown.
    stdin.setRawMode?.(true)
    stderr.write(prompt)
    stdin.on("data", onData).on("end", onEnd).resume()
    return Effect.sync(stop)
  })

const [ctrlC, endOfInput, backspace] = ["\u0003", "\u0004", "\u007f"]
