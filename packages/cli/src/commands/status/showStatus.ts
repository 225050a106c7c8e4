/** `postcode status`: a service and its directory, and whether the keys for it work. */
import { createPostcodeClient, type DataOf } from "@postcode/client"
import { formatVersion } from "@postcode/core/Directory"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { counted, grouped } from "@postcode/server/process/Progress"
import { Effect, Result } from "effect"
import { hasKey, resolveKey } from "../../management/apiKey.ts"
import { checkKey, type KeyCheck } from "../../management/checkKey.ts"
import { type Called, type ConnectionOptions, connect, failureOf } from "../../management/connect.ts"
import { credentialHint } from "../../management/Profiles.ts"
import { type ConnectionFlags, NoCredential, resolveConnection } from "../../management/resolveConnection.ts"
import { sourceName } from "../../management/Source.ts"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"

interface StatusOptions extends Omit<ConnectionFlags, "tokenStdin"> {
  readonly json: boolean
}

/** Prints everything that is known, and then fails if the service or a key does not work, or there is no key. */
export const showStatus = ({ json, ...flags }: StatusOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const withToken = yield* findConnection(flags)
    const withKey = yield* resolveKey(flags)
    const url = withKey.key === undefined && withToken !== undefined ? withToken.url : withKey.url
    const service = yield* Effect.result(readiness(url))
    const isUp = Result.isSuccess(service)
    const key = yield* check(hasKey(withKey) ? withKey : undefined, isUp, checkKey)
    const management = yield* check(withToken, isUp, describeManagement)
    const report: Report = {
      url,
      service: isUp ? service.success : { status: "unavailable" },
      api_key: key?.shown ?? null,
      management: management?.shown ?? null
    }
    yield* printRecord({ json }, report, fields)
    const failures = [isUp ? undefined : service.failure, key?.failure, management?.failure]
    yield* failWithAll(failures.filter((failure) => failure !== undefined))
    if (key === undefined && management === undefined) return yield* noKeys(url)
  })

const failWithAll = (failures: ReadonlyArray<CommandFailure>): Effect.Effect<void, CommandFailure> =>
  failures[0] === undefined
    ? Effect.void
    : Effect.fail(new CommandFailure(failures.map(({ message }) => message).join("\n"), failures[0].exitCode))

/** The management credential; undefined if there is none. */
const findConnection = (
  flags: Omit<ConnectionFlags, "tokenStdin">
): Effect.Effect<ConnectionOptions | undefined, CommandFailure> =>
  Effect.catchIf(
    resolveConnection({ ...flags, tokenStdin: false }),
    (failure) => failure instanceof NoCredential,
    () => Effect.undefined
  )

const noKeys = (url: string): Effect.Effect<never, CommandFailure> =>
  Effect.flatMap(credentialHint(url, "key", "token"), (hint) =>
    Effect.fail(new CommandFailure(`there is no key for ${url}: ${hint}`, exitCodes.notAllowed))
  )

type Readiness = DataOf<"GET /v1/health/ready">

const readiness = (url: string): Effect.Effect<Readiness, CommandFailure> =>
  Effect.tryPromise({
    try: async (signal) => {
      const client = createPostcodeClient({ baseUrl: url, retries: 0 })
      return (await client.request("GET /v1/health/ready", {}, { signal })).data
    },
    catch: (error) => failureOf(error, { url, source: undefined })
  })

/** A credential, and what the service says of it. */
interface Checked<A> {
  readonly shown: Shown<A>
  /** Why the credential was not accepted. */
  readonly failure: CommandFailure | undefined
}

type Shown<A> = {
  /** Where the credential comes from. */
  readonly source: string
  readonly url: string
} & ((A & { readonly status: "accepted" }) | { readonly status: "refused" | "unchecked" })

/** Undefined without a credential. A service that is down is not asked. */
const check = <Connection extends Called, A>(
  connection: Connection | undefined,
  isUp: boolean,
  describe: (connection: Connection) => Effect.Effect<A, CommandFailure>
): Effect.Effect<Checked<A> | undefined> =>
  Effect.gen(function* () {
    if (connection === undefined) return undefined
    const { source, url } = connection
    const from = { source: source === undefined ? "" : sourceName(source), url }
    if (!isUp) return { shown: { ...from, status: "unchecked" }, failure: undefined }
    const result = yield* Effect.result(describe(connection))
    if (Result.isSuccess(result))
      return { shown: { ...from, status: "accepted", ...result.success }, failure: undefined }
    const status = result.failure.exitCode === exitCodes.notAllowed ? "refused" : "unchecked"
    return { shown: { ...from, status }, failure: result.failure }
  })

type Management = DataOf<"GET /v1/admin/whoami"> & {
  /** The balances of the organization; null for operators, who have none. */
  readonly credits: { readonly test: number; readonly live: number } | null
}

const describeManagement = (connection: ConnectionOptions): Effect.Effect<Management, CommandFailure> =>
  Effect.gen(function* () {
    const call = yield* connect(connection)
    const caller = yield* call("GET /v1/admin/whoami", {})
    const { organization_id: id } = caller
    if (id === undefined) return { ...caller, credits: null }
    const balance = (environment: "live" | "test") =>
      Effect.map(
        call("GET /v1/admin/organizations/:id/credits", { params: { id }, query: { environment, limit: 1 } }),
        (account) => account.balance
      )
    return { ...caller, credits: { test: yield* balance("test"), live: yield* balance("live") } }
  })

interface Report {
  readonly url: string
  readonly service: Readiness | { readonly status: "unavailable" }
  readonly api_key: Shown<KeyCheck> | null
  readonly management: Shown<Management> | null
}

const fields: View<Report> = {
  url: "url",
  service: ({ service }) => service.status,
  database: ({ service }) => {
    if (!("database" in service)) return undefined
    return service.database === "unavailable" ? "unavailable: metered requests and management fail" : service.database
  },
  directory: ({ service }) => ("directory" in service ? directoryText(service.directory) : undefined),
  "API key": ({ api_key, url }) =>
    credentialText(api_key, url, ({ credits_left, key }) => {
      const balance = credits_left === null ? "" : `, ${counted(credits_left, "credit")} left`
      return `${key}…${balance}`
    }),
  management: ({ management, url }) =>
    credentialText(management, url, ({ credits, organization_id, organization_name, role }) => {
      if (credits === null) return role ?? "an account"
      const { live, test } = credits
      return `${role} of ${organization_name ?? organization_id}, ${grouped(test)} test and ${grouped(live)} live credits`
    })
}

const directoryText = ({ active_units, changes, date, version = "" }: Readiness["directory"]): string =>
  [
    `version ${formatVersion({ edition: version, changes })}`,
    ...(date === undefined ? [] : [`edition of ${date}`]),
    counted(active_units, "active unit")
  ].join(", ")

const credentialText = <A>(shown: Shown<A> | null, url: string, describe: (accepted: A) => string): string => {
  if (shown === null) return "none"
  const place = shown.url === url ? shown.source : `${shown.source}, at ${shown.url}`
  const text = shown.status === "accepted" ? describe(shown) : words[shown.status]
  return `${text} (${place})`
}

const words = { refused: "refused", unchecked: "not checked" }
