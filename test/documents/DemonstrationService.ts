/** What examples run against: the command `postcode serve`, as a program with its demonstration, and databases. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { makeTestDatabase } from "../../drills/kit/postgres/index.ts"

export interface DemonstrationService {
  readonly url: string
  /** The keys and the token that it showed, by the names that the documentation exports them under. */
  readonly secrets: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/**
 * Starts the command with Node, on a free port, and waits until it is ready.
 *
 * @param command what Node runs: options, and the file of the command
 */
export const startService = async (
  command: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv
): Promise<DemonstrationService> => {
  const POSTCODE_OPERATOR_TOKEN = "the-operator-token-of-a-test-service"
  const program = spawn(process.execPath, [...command, "serve", "--port", "0"], {
    env: { ...env, POSTCODE_OPERATOR_TOKEN }
  })
  const screen = await firstScreen(program)
  const url = /^ready (\S+)$/m.exec(screen)?.[1] ?? ""
  const POSTCODE_KEY = /\bsvc_test_\w+/.exec(screen)?.[0] ?? ""
  const stop = async () => {
    program.kill("SIGTERM")
    if (program.exitCode === null) await once(program, "exit")
  }
  const POSTCODE_BROWSER_KEY = /\bsvc_pk_\w+/.exec(screen)?.[0] ?? ""
  return { url, secrets: { POSTCODE_OPERATOR_TOKEN, POSTCODE_KEY, POSTCODE_BROWSER_KEY }, stop }
}

/** The environment without the settings of the user who runs the tests. */
export const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(DATABASE_URL$|POSTCODE_)/.test(name)))

/** A database of its own for an example that asks for one, as long as it runs. */
export const databaseFor = async (code: string) => {
  if (!code.includes("DATABASE_URL")) return { env: {}, [Symbol.asyncDispose]: async () => {} }
  const { drop, url } = await makeTestDatabase()
  return { env: { DATABASE_URL: url }, [Symbol.asyncDispose]: drop }
}

const firstScreen = async (program: ChildProcess): Promise<string> => {
  let screen = ""
  for await (const chunk of program.stderr?.setEncoding("utf8") ?? []) {
    screen += chunk
    if (/^ready .*\n/m.test(screen)) return screen
  }
  throw new Error(`The service ended before it was ready:\n${screen}`)
}
