/** Clean-up after this process has ended, even by `kill -9`. */
import { spawn } from "node:child_process"

/**
 * Runs a shell command, with arguments in `$1` and on, when this process ends or when the returned function is called.
 * Another process waits on a pipe, which breaks with this process.
 */
export const atEndOfProcess = (command: string, ...args: ReadonlyArray<string>): (() => void) => {
  const waiter = spawn("sh", ["-c", `cat > /dev/null; ${command}`, "sh", ...args], {
    stdio: ["pipe", "ignore", "ignore"],
    // A signal to the process group must not end it early.
    detached: true
  })
  waiter.unref()
  const { stdin } = waiter
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref()
  return () => stdin.end()
}
