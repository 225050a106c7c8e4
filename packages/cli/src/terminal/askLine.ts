/** Questions to a person at a terminal. */
import { host } from "@postcode/server/process/Host"

/** Whether somebody can answer. */
export const canAsk = (): boolean => host().stdin.isTTY === true

/** Asks on standard error, and resolves with the answer in lower case; empty at the end of input. */
export const askLine = (question: string, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const { stderr, stdin } = host()
    let answer = ""
    const end = (settle: () => void) => {
      stdin.off("data", onData).off("end", onEnd).pause()
      signal.removeEventListener("abort", onAbort)
      settle()
    }
    const onAbort = () => end(() => reject(signal.reason))
    const onEnd = () => end(() => resolve(answer.trim().toLowerCase()))
    const onData = (chunk: Buffer | string) => {
      const text = String(chunk)
      const lineEnd = text.indexOf("\n")
      answer += lineEnd < 0 ? text : text.slice(0, lineEnd)
      if (lineEnd < 0) return
      onEnd()
      // The answer to the next question may have come with this one.
      if (lineEnd + 1 < text.length) stdin.unshift(text.slice(lineEnd + 1))
    }
    signal.addEventListener("abort", onAbort)
    stderr.write(question)
    stdin.on("data", onData).on("end", onEnd).resume()
  })
