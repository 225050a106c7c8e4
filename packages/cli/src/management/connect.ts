/** Calls of the management API with a bearer token, and the error messages of failed calls. */
import {
  type Arguments,
  createPostcodeClient,
  type DataOf,
  type InputOf,
  isPostcodeError,
  type PostcodeClient,
  type PostcodeError,
  type Route
} from "@postcode/client"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure, type ExitCode, exitCodes, messageOf } from "@postcode/server/process/ExitCode"
import { host } from "@postcode/server/process/Host"
import { printable } from "@postcode/server/process/Output"
import { Effect, Redacted } from "effect"
import { listHint } from "./listHint.ts"
import { refusedFrom, type Source } from "./Source.ts"
import { type OnWait, untilServed } from "./untilServed.ts"

/** The address and credentials of a service. */
export interface ConnectionOptions {
  /** Without a slash at the end: `https://postcode.example`. */
  readonly url: string
  /** The operator token or a management key. */
  readonly token: Redacted.Redacted<string>
  /** Whether the token came over standard input. */
  readonly tokenStdin: boolean
  /** The organization that the credential is known to be for. */
  readonly organization_id: string | undefined
  /** Where the token comes from, for messages. */
  readonly source: Source | undefined
}

/** Options of every management command. */
export interface ManagementOptions extends ConnectionOptions {
  /** Whether to print the API's response as JSON. */
  readonly json: boolean
}

/** Calls the service and returns the payload of its response. */
export type Call = <R extends Route>(route: R, input: InputOf<R>) => Effect.Effect<DataOf<R>, CommandFailure>

/** What was called: the service, and where the credential comes from. */
export interface Called {
  readonly url: string
  readonly source: Source | undefined
  /** The API key that was sent, if any. */
  readonly key?: Redacted.Redacted<string> | undefined
}

/** A failed call, with the error code and the status of `@postcode/client`. */
export class CallFailure extends CommandFailure {
  readonly code: PostcodeError["code"]
  /** 0 without a response. */
  readonly status: number

  constructor(error: PostcodeError, called: Called) {
    super(explain(error, called), exitCodeOf(error.status))
    this.code = error.code
    this.status = error.status
  }
}

/** @param onWait makes every call wait for a service that cannot serve it now. Only for idempotent calls. */
export const connect = (options: ConnectionOptions, onWait?: OnWait): Effect.Effect<Call, CommandFailure> =>
  Effect.map(clientOf(options, onWait === undefined ? {} : { retries: 0 }), (client) => (route, input) => {
    const sent = Effect.tryPromise({ try: (signal) => send(client, route, input, signal), catch: (error) => error })
    return Effect.mapError(onWait === undefined ? sent : untilServed(sent, onWait), (error) =>
      failureOf(error, options)
    )
  })

/** The failure of a call of `@postcode/client`; an error of another kind is the caller's. */
export const failureOf = (error: unknown, called: Called): CommandFailure => {
  if (error instanceof CommandFailure) return error
  return isPostcodeError(error)
    ? new CallFailure(error, called)
    : new CommandFailure(messageOf(error), exitCodes.wrongUsage)
}

/** A single call. */
export const request = <R extends Route>(
  options: ConnectionOptions,
  route: R,
  input: InputOf<R>
): Effect.Effect<DataOf<R>, CommandFailure> => Effect.flatMap(connect(options), (call) => call(route, input))

/** The message for a response that is not the service's. */
export const foreignAnswer = (url: string): string =>
  `the server at ${url} is not a postcode gateway, or has another version: check the address (--url, POSTCODE_URL)`

/** All of standard input. */
export const readStandardInput = async (): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of host().stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const clientOf = ({ token, url }: ConnectionOptions, settings: { readonly retries?: number }) =>
  Effect.try({
    try: () => createPostcodeClient({ baseUrl: url, token: Redacted.value(token), ...settings }),
    catch: (error) => new CommandFailure(messageOf(error), exitCodes.notAllowed)
  })

const send = async <R extends Route>(
  client: PostcodeClient,
  route: R,
  input: InputOf<R>,
  signal: AbortSignal
): Promise<DataOf<R>> => {
  const { data } = await client.request(route, ...([input, { signal }] as unknown as Arguments<R>))
  return data
}

const explain = ({ cause, code, message, status }: PostcodeError, { key, source, url }: Called): string => {
  if (code === "unexpected_answer") return foreignAnswer(url)
  if (code === "network_error" || code === "timeout") {
    return unreachable(url, code === "timeout" ? message : cause)
  }
  if (status === 402) return printable(message) + grantHint(key)
  const refused = status === 401 && source !== undefined ? refusedFrom(source) : ""
  return printable(message) + (status === 404 ? listHint(message) : refused)
}

/** How an operator adds credits to the account that was too low: each environment has its own. */
const grantHint = (key: Called["key"]): string => {
  const [, environment = "ENV"] = /^svc_(test|live)_/.exec(key === undefined ? "" : Redacted.value(key)) ?? []
  const grant = `credits grant ORG AMOUNT --environment ${environment} --reference TEXT`
  return `; an operator adds credits with ${commandName()} ${grant}`
}

/** The message for a service that does not respond. */
export const unreachable = (url: string, reason: unknown): string => {
  const isLocal = /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname)
  const next = isLocal ? `${commandName()} serve starts a service here` : "check the address"
  return `could not reach ${url}: ${next}; --url or POSTCODE_URL names another one (${rootOf(reason)})`
}

const exitCodeOf = (status: number): ExitCode => {
  if (status === 400) return exitCodes.wrongUsage
  if (status === 401 || status === 403) return exitCodes.notAllowed
  return status === 402 ? exitCodes.notEnoughCredits : exitCodes.failed
}

/** The innermost cause: `connect ECONNREFUSED 127.0.0.1:3000`. */
const rootOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return rootOf(error.cause)
  return error.message === "" ? ((error as NodeJS.ErrnoException).code ?? error.name) : error.message
}
