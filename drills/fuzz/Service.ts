/** The service that is fuzzed: the real command, as a process of its own, on either store. */
import { readFile } from "node:fs/promises"
import { operatorToken } from "@postcode/conformance/wire"
import { makeFixtureDatabase } from "../kit/FixtureDatabase.ts"
import { atEndOfProcess } from "../kit/postgres/index.ts"
import { runProcess, startService } from "../kit/StartCommand.ts"
import { temporaryFolder } from "../kit/TemporaryFolder.ts"
import { secretPattern } from "./Judge.ts"

export const stores = ["memory", "postgres"] as const
export type Store = (typeof stores)[number]

export interface FuzzedService extends AsyncDisposable {
  readonly port: number
  readonly isAlive: () => boolean
  /** Of all its threads, as the system counts it. */
  readonly memory_mb: () => Promise<number>
  /** What it wrote that no service should: errors, and lines with a secret in them. */
  readonly complaints: ReadonlyArray<string>
}

/**
 * - `memory`: one thread, everything in memory
 * - `postgres`: two threads on a PostgreSQL of their own, which holds the directory of the tests
 *
 * @param units how many a demonstration directory has that is made for it, where it is in memory
 */
export const startFuzzed = async (store: Store, units: number): Promise<FuzzedService> => {
  const resources = new AsyncDisposableStack()
  const [args, env] = await argumentsFor(store, units, resources)
  const service = await startService([...args, "--access-log"], { ...settings, ...env })
  const { process } = service
  // A run that breaks off must not leave the service behind.
  process.once("close", atEndOfProcess('kill -9 "$1"', `${process.pid}`))
  resources.defer(async () => {
    await service.stop()
  })
  const complaints = watch(process.stderr)
  return {
    port: Number(new URL(service.url).port),
    isAlive: () => process.exitCode === null && process.signalCode === null,
    memory_mb: async () => {
      const status = await readFile(`/proc/${process.pid}/status`, "utf8").catch(() => "")
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
    },
    complaints,
    [Symbol.asyncDispose]: () => resources.disposeAsync()
  }
}

/** No limit but those of the endpoints themselves: what is limited is not fuzzed. */
const settings = {
  POSTCODE_OPERATOR_TOKEN: operatorToken,
  POSTCODE_IDENTIFIER_PEPPER: "a-pepper-for-fuzzing-and-nothing-else",
  POSTCODE_SESSION_KEYS: "fuzz:a-signing-key-for-fuzzing-and-nothing-else",
  POSTCODE_KEY_RATE_LIMIT: "1000000",
  POSTCODE_PUBLISHABLE_KEY_RATE_LIMIT: "1000000",
  POSTCODE_ORGANIZATION_RATE_LIMIT: "1000000",
  POSTCODE_ADDRESS_RATE_LIMIT: "1000000",
  POSTCODE_SESSION_RATE_LIMIT: "1000000",
  POSTCODE_TRUSTED_PROXIES: "127.0.0.1"
}

const argumentsFor = async (
  store: Store,
  units: number,
  resources: AsyncDisposableStack
): Promise<[ReadonlyArray<string>, Readonly<Record<string, string>>]> => {
  if (store === "postgres") {
    const { drop, url } = await makeFixtureDatabase()
    resources.defer(drop)
    return [["--workers", "2"], { DATABASE_URL: url }]
  }
  const folder = resources.use(await temporaryFolder())
  const made = await runProcess(["demo", folder.path, "--units", `${units}`, "--seed", "1"])
  if (made.code !== 0) throw new Error(made.stderr)
  return [["--directory", folder.path], {}]
}

/** Looks through all that is written from now on, line by line, and keeps what is wrong with it. */
const watch = (output: NodeJS.ReadableStream): ReadonlyArray<string> => {
  const complaints: Array<string> = []
  let rest = ""
  output.on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (secretPattern.test(line)) complaints.push(`a secret in the log: ${line}`)
      // Warnings are of a database that is late, on a machine that is busy.
      else if ((!line.startsWith("{") || line.includes('"level":"error"')) && complaints.length < 100) {
        complaints.push(`logged: ${line}`)
      }
    }
  })
  return complaints
}
