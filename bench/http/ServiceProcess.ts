/** The command `postcode serve` as a child process. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { ProcessOptions } from "../process/FreshProcess.ts"
import { commandPath } from "../process/runCommand.ts"

export interface ServiceProcess {
  readonly pid: number
  readonly port: number
  /** Calls the management API under `/v1/admin/`, and returns `data`. */
  readonly operator: Operator
  readonly stop: () => Promise<void>
  /** Resolves with the exit code; null if it was killed. */
  readonly exitCode: Promise<number | null>
}

/** @throws Error on an error response */
export type Operator = <A>(method: string, path: string, body: object) => Promise<A>

/** The maximum rate limit, in requests per minute. */
export const maxLimit = 1_000_000

/** Starts `postcode serve` with flags, and waits until it responds. No run reaches its limits. */
export const startService = async (
  flags: ReadonlyArray<string>,
  { nodeFlags, signal }: Pick<ProcessOptions, "nodeFlags" | "signal">,
  port = 0
): Promise<ServiceProcess> => {
  const limits = ["key", "publishable-key", "organization", "address", "session"].flatMap((of) => [
    `--${of}-rate-limit`,
    `${maxLimit}`
  ])
  const child = spawn(
    process.execPath,
    [...nodeFlags, commandPath(nodeFlags), "serve", `--port=${port}`, ...limits, ...flags],
    {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ...secrets },
      signal
    }
  )
  // On abort the process gets a signal; `stop` waits for its end.
  child.on("error", () => {})
  // Not `once`, whose rejection would be unhandled.
  const exitCode = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM")
    await exitCode
  }
  const said: Array<string> = []
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line)
    const [, url] = /^ready (\S+)$/.exec(line) ?? []
    if (url === undefined) continue
    // Drained, so that its output does not fill the pipe.
    child.stderr.resume()
    return { pid: child.pid as number, port: Number(new URL(url).port), operator: operatorOf(url), stop, exitCode }
  }
  throw new Error(`postcode serve ended before it was ready:\n${said.join("\n")}`)
}

/** The operator token of every service here. */
export const operatorToken = "the-operator-of-no-service-but-the-bench"

/** The secrets of the benchmarked service. */
const secrets = {
  POSTCODE_OPERATOR_TOKEN: operatorToken,
  POSTCODE_IDENTIFIER_PEPPER: "a-pepper-for-no-identifier-at-all",
  POSTCODE_SESSION_KEYS: "bench:a-signing-key-for-no-widget-session-at-all-in-the-bench"
}

const operatorOf =
  (url: string): Operator =>
  async <A>(method: string, path: string, body: object): Promise<A> => {
    const response = await fetch(`${url}/v1/admin/${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const answer = (await response.json()) as { readonly data: A }
    if (!response.ok) throw new Error(`${method} /v1/admin/${path}: ${JSON.stringify(answer)}`)
    return answer.data
  }
