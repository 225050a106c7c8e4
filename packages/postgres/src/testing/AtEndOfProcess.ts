/** What has to be done once this process has ended, however it ends: `kill -9` leaves no time to do it. */
import { spawn } from "node:child_process"

/**
 * Runs a line of shell, with arguments in `$1` and on, when this process has ended or when the function that is answered
 * is called. Another process waits for it, on a pipe that breaks with this one.
 */
export const atEndOfProcess = (line: string, ...args: ReadonlyArray<string>): (() => void) => {
  const waiting = spawn("sh", ["-c", `cat > /dev/null; ${line}`, "sh", ...args], {
    stdio: ["pipe", "ignore", "ignore"],
    // A signal to the whole group must not end it before its time.
    detached: true
  })
  waiting.unref()
  const { stdin } = waiting
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref()
  return () => stdin.end()
}
