/** The management API client, typed by the contract, and the error messages of failed calls. */
import { Api, type ErrorCode, errorCodes } from "@postcode/api"
import { Effect, Schema, SchemaIssue } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { CommandFailure, type ExitCode, exitCodes } from "../ExitCode.ts"
import { host } from "../Host.ts"
import { printable } from "../Output.ts"

/** The address and credentials of a service. */
export interface ConnectionOptions {
  /** Without a slash at the end: `https://postcode.example`. */
  readonly url: string
  /** Whether to read the operator token from standard input instead of the environment. */
  readonly tokenStdin: boolean
}

/** Options of every management command. */
export interface ManagementOptions extends ConnectionOptions {
  /** Whether to print the API's response as JSON. */
  readonly json: boolean
}

type Groups = HttpApiClient.ForApi<typeof Api>

/** The calls of operators and members, by name. */
export type ManagementApi = Groups["accounts"] & Groups["management"]

const timeout_ms = 30_000

/**
 * Runs calls of the API. Errors become messages with the matching exit code.
 *
 * @param wrap changes how requests are sent
 */
export const manage = <A>(
  options: ConnectionOptions,
  calls: (api: ManagementApi) => Effect.Effect<A, unknown>,
  wrap: (client: HttpClient.HttpClient) => HttpClient.HttpClient = (client) => client
): Effect.Effect<A, CommandFailure> =>
  Effect.gen(function* () {
    const token = yield* operatorToken(options)
    let isSent = false
    const markSent = () => {
      isSent = true
    }
    const client = yield* HttpApiClient.make(Api, {
      baseUrl: options.url,
      transformClient: (client) =>
        client.pipe(
          HttpClient.mapRequest(HttpClientRequest.bearerToken(token)),
          HttpClient.tapRequest(() => Effect.sync(markSent)),
          HttpClient.transform(withinTime),
          wrap
        )
    })
    return yield* Effect.catch(calls({ ...client.accounts, ...client.management }), (error) =>
      Effect.flatMap(explain(error, options.url, isSent), Effect.fail)
    )
  }).pipe(Effect.provide(FetchHttpClient.layer))

/** Removes undefined fields: the API accepts absent fields, but none without a value. */
export const given = <A extends object>(fields: A): { [K in keyof A]?: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof A]?: Exclude<A[K], undefined>
  }

const operatorToken = ({ tokenStdin }: ConnectionOptions): Effect.Effect<string, CommandFailure> =>
  Effect.gen(function* () {
    const token = tokenStdin ? String(yield* Effect.promise(readStandardInput)) : host().env.POSTCODE_OPERATOR_TOKEN
    if (token !== undefined && token.trim() !== "") return token.trim()
    return yield* Effect.fail(
      new CommandFailure(
        tokenStdin
          ? "standard input holds no operator token"
          : "the management API needs the operator token: set POSTCODE_OPERATOR_TOKEN, or send it over standard input with --token-stdin",
        exitCodes.notAllowed
      )
    )
  })

/** All of standard input. */
export const readStandardInput = async (): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of host().stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const withinTime = <A, R>(
  response: Effect.Effect<A, HttpClientError.HttpClientError, R>,
  request: HttpClientRequest.HttpClientRequest
) =>
  Effect.timeoutOrElse(response, {
    duration: timeout_ms,
    orElse: () =>
      Effect.fail(
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, description: `no answer in ${timeout_ms / 1000} s` })
        })
      )
  })

const isErrorBody = Schema.is(Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) }))

const explain = (error: unknown, url: string, isSent: boolean): Effect.Effect<CommandFailure> => {
  if (error instanceof CommandFailure) return Effect.succeed(error)
  if (isErrorBody(error)) return Effect.succeed(fromErrorBody(error))
  if (Schema.isSchemaError(error) && !isSent) {
    return Effect.succeed(new CommandFailure(describeIssue(error), exitCodes.wrongUsage))
  }
  const foreign = new CommandFailure(`what answers at ${url} is not a postcode gateway, or not of this version`)
  if (!HttpClientError.isHttpClientError(error)) return Effect.succeed(foreign)
  if (error.reason._tag === "TransportError") {
    const reason = error.reason.description ?? rootOf(error.reason.cause)
    return Effect.succeed(
      new CommandFailure(
        `could not reach ${url}: is the service running there, or elsewhere (--url, POSTCODE_URL)? (${reason})`
      )
    )
  }
  // A status that the contract does not list for this call may still have an error body.
  return Effect.match(error.response?.json ?? Effect.succeed(undefined), {
    onSuccess: (body) => (isErrorBody(body) ? fromErrorBody(body) : foreign),
    onFailure: () => foreign
  })
}

const fromErrorBody = ({ error }: { readonly error: { readonly code: string; readonly message: string } }) =>
  new CommandFailure(printable(error.message), exitCodeOf(error.code))

const exitCodeOf = (code: string): ExitCode => {
  const isAmong = (codes: ReadonlyArray<ErrorCode>) => codes.some((one) => one === code)
  if (isAmong(errorCodes[401]) || isAmong(errorCodes[403])) return exitCodes.notAllowed
  return isAmong(errorCodes[402]) ? exitCodes.notEnoughCredits : exitCodes.failed
}

/** The contract refuses the request before it is sent. */
const describeIssue = (error: Schema.SchemaError): string => {
  const [issue] = SchemaIssue.makeFormatterStandardSchemaV1()(error.issue).issues
  const path = (issue?.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".")
  return path === "" ? (issue?.message ?? error.message) : `${path}: ${issue?.message}`
}

/** The innermost cause: `connect ECONNREFUSED 127.0.0.1:3000`. */
const rootOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return rootOf(error.cause)
  return error.message === "" ? ((error as NodeJS.ErrnoException).code ?? error.name) : error.message
}
