/** Replicas of the service as real processes, on a PostgreSQL of their own that a test may stop and start. */
import { setTimeout } from "node:timers/promises"
import { operatorToken } from "@postcode/conformance/wire"
import { importFixture, makeFixtureDatabase } from "./FixtureDatabase.ts"
import { manage } from "./Management.ts"
import { type PostgresServer, requirePostgres, settingsForTests, startPostgres } from "./postgres/index.ts"
import { type Service, startService } from "./StartCommand.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

export interface Installation extends AsyncDisposable {
  readonly server: PostgresServer
  /** What each replica needs in its environment. */
  readonly env: Readonly<Record<string, string>>
  /** Starts one more replica, which ends with the installation if not before. */
  readonly startReplica: (...args: ReadonlyArray<string>) => Promise<Service>
}

/** What replicas on a database need in their environment. */
export const environmentOn = (url: string) => ({
  DATABASE_URL: url,
  POSTCODE_OPERATOR_TOKEN: operatorToken,
  POSTCODE_IDENTIFIER_PEPPER: "a-pepper-for-replicas-and-nothing-else",
  POSTCODE_SESSION_KEYS: "replicas:a-signing-key-for-replicas-and-nothing-else",
  POSTCODE_KEY_RATE_LIMIT: "1000000",
  POSTCODE_ADDRESS_RATE_LIMIT: "1000000"
})

/** A server whose database holds the fixture's directory. */
export const makeInstallation = async (): Promise<Installation> => {
  const folder = await temporaryFolder()
  const server = await startPostgres({
    folder: folder.path,
    programs: requirePostgres(),
    settings: settingsForTests
  })
  const env = environmentOn(server.url("postgres"))
  await importFixture(env.DATABASE_URL)
  const replicas: Array<Service> = []
  return {
    server,
    env,
    startReplica: async (...args) => {
      const replica = await startService(args, env)
      replicas.push(replica)
      return replica
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(replicas.map((replica) => replica.stop("SIGKILL")))
      await server.stop()
      await folder[Symbol.asyncDispose]()
    }
  }
}

/** Starts the service on a new database that holds the fixture's directory, and is dropped as the service is disposed of. */
export const serveOnDatabase = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<Service> => {
  const { drop, url } = await makeFixtureDatabase()
  const service = await startService(args, { ...environmentOn(url), ...env })
  return {
    ...service,
    [Symbol.asyncDispose]: async () => {
      await service.stop()
      await drop()
    }
  }
}

/**
 * Fetches, and again as long as the answer is 503: where the machine is busy, a replica may be late in hearing from the
 * database.
 */
export const fetchAgain = async (url: string, init: RequestInit): Promise<Response> => {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init)
    if (response.status !== 503 || attempt === 60) return response
    await setTimeout(500)
  }
}

interface Customer {
  readonly id: string
  readonly secret: string
}

/** An organization with a live key and credits, made through a replica; the key is as usual, but for what is told. */
export const makeCustomer = async (
  { url }: { readonly url: string },
  credits: number,
  told: object = {}
): Promise<Customer> => {
  const { id } = await manage<Customer>(url, "POST", "/organizations", { name: "Test" })
  const review = {
    granted_level: 5,
    kyb_status: "verified",
    review_note: "for a test",
    rate_limit_per_minute: 1_000_000
  }
  await manage(url, "PATCH", `/organizations/${id}`, review)
  const grant = { environment: "live", amount: credits, reference: "for a test" }
  await manage(url, "POST", `/organizations/${id}/credits`, grant)
  const key = { name: "test", kind: "secret", environment: "live", scopes: ["search", "lookup"], max_level: 5 }
  const { secret } = await manage<Customer>(url, "POST", `/organizations/${id}/keys`, { ...key, ...told })
  return { id, secret }
}
