/**
 * Compiles the contract into routes. All decoders are created here, once, and a request only runs them. All endpoints
 * take the same steps, so the conventions hold for all by construction.
 */
import {
  Access,
  Api,
  CountedBy,
  FreeQuery,
  FromDirectory,
  Host,
  hasStrictBody,
  InsteadOfChange,
  LongBody,
  Metered,
  OAuth,
  Synonyms,
  Unlimited
} from "@postcode/api"
import { explainMalformed } from "@postcode/core/Corrections"
import type { Directory } from "@postcode/core/Directory"
import { MalformedPostcode } from "@postcode/core/PostcodeSchema"
import { InvalidParameter } from "@postcode/gateway/Errors"
import { Context, type Effect, Exit, Result, Schema, SchemaAST, SchemaIssue } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import type { LongForm } from "../input/LongJson.ts"
import { parseQuery } from "../input/Query.ts"
import { type GatewayError, InvalidBody } from "./ErrorTable.ts"
import type { Answer, Call, Handlers } from "./Handler.ts"
import { dataNames, explainUnknownField, type FixedFields, fieldNames, fieldsOf } from "./UnknownField.ts"

/** Decodes a value. */
export type Decoder = (value: unknown) => Exit.Exit<unknown, Invalid>

/**
 * Explains why a value is invalid: the first invalid field, or `InvalidBody` if the value as a whole is invalid. Called
 * only when the failure is answered, since the likely correction of a malformed postcode takes up to 252 look-ups.
 */
export type Invalid = (directory: Directory) => InvalidBody | InvalidParameter

/** One endpoint, ready to run. */
export interface Route {
  /** `group.endpoint`: its name in usage and logs. */
  readonly operation: string
  /** Its name in its group. For managers, this is a call of gateway's table `managementAccess`. */
  readonly endpoint: string
  readonly method: string
  /** `/v1/admin/keys/:id` */
  readonly path: string
  readonly access: Access
  readonly host: Host
  readonly metered: boolean
  readonly unlimited: boolean
  /** The list in the body whose items count as one request each. */
  readonly countedBy: string | undefined
  /** Whether a success has the data version in its headers. */
  readonly fromDirectory: boolean
  /** The status of a success. */
  readonly status: number
  /** Decodes a query string, without its `?`. */
  readonly readQuery: (query: string) => ReturnType<Decoder>
  /** Whether a call with this decoded query, and with or without an API key, is free, whatever its result. */
  readonly isFree: (query: unknown, hasKey: boolean) => boolean
  readonly hasBody: boolean
  /** Set if the endpoint speaks OAuth: the parameters of its form. See `OAuth` of the contract. */
  readonly oauthForm: ReadonlyMap<string, string> | undefined
  /** Set if the body may be longer than others. Then `decodeBody` leaves the items of its list as they are. */
  readonly longForm: LongForm<Invalid> | undefined
  readonly decodeBody: Decoder
  readonly handle: (call: Call<unknown, unknown, unknown>) => Effect.Effect<Answer<unknown>, GatewayError>
}

/** The routes of the whole contract. */
export const compileRoutes = (handlers: Handlers): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations, successes }) => {
      const groupHandlers = handlers[group.identifier as keyof Handlers] as Readonly<Record<string, Route["handle"]>>
      const payload = payloadOf(endpoint)
      const long = Context.get(mergedAnnotations, LongBody)
      const reading = readingOf(endpoint, [...successes.values()][0]?.[0], mergedAnnotations)
      routes.push({
        operation: `${group.identifier}.${endpoint.identifier}`,
        endpoint: endpoint.identifier,
        method: endpoint.method,
        path: endpoint.path,
        access: Context.get(mergedAnnotations, Access),
        host: Context.get(mergedAnnotations, Host),
        metered: Context.get(mergedAnnotations, Metered),
        unlimited: Context.get(mergedAnnotations, Unlimited),
        countedBy: Context.get(mergedAnnotations, CountedBy),
        fromDirectory: Context.get(mergedAnnotations, FromDirectory),
        status: [...successes.keys()][0] as number,
        readQuery: queryReader(endpoint.query, Context.get(mergedAnnotations, Synonyms)),
        isFree: Context.get(mergedAnnotations, FreeQuery) as Route["isFree"],
        hasBody: payload !== undefined,
        oauthForm: Context.get(mergedAnnotations, OAuth)
          ? new Map(fieldNames(payload).map((name) => [name, name]))
          : undefined,
        longForm: long && longFormOf(long, reading),
        decodeBody: decoder(long?.body ?? payload, reading),
        handle: groupHandlers[endpoint.identifier] as Route["handle"]
      })
    }
  })
  return routes
}

const payloadOf = (endpoint: HttpApiEndpoint.Top): Schema.Top | undefined =>
  [...endpoint.payload.values()][0]?.schemas[0] as Schema.Top | undefined

/** How a value is read. */
interface Reading {
  readonly onExcessProperty: "error" | "ignore"
  readonly fixed: FixedFields
}

/** Unknown fields are ignored. */
const lenient: Reading = { onExcessProperty: "ignore", fixed: { names: [], instead: undefined } }

/** How the body of an endpoint is read: see `hasStrictBody`. A change answers with fields that it cannot change. */
const readingOf = (
  { method, path }: HttpApiEndpoint.Top,
  success: unknown,
  annotations: Context.Context<never>
): Reading => {
  if (!hasStrictBody(path)) return lenient
  const names = method === "PATCH" ? dataNames(success as Schema.Top | undefined) : []
  return { onExcessProperty: "error", fixed: { names, instead: Context.get(annotations, InsteadOfChange) } }
}

/** Reads a query string by its schema. */
const queryReader = (
  schema: Schema.Top | undefined,
  synonyms: Readonly<Record<string, string>>
): Route["readQuery"] => {
  const known = new Map([...fieldNames(schema).map((name) => [name, name] as const), ...Object.entries(synonyms)])
  const decode = decoder(schema)
  return (query) => {
    const values = parseQuery(query, known)
    return Result.isFailure(values) ? Exit.fail(() => values.failure) : decode(values.success)
  }
}

const longFormOf = ({ item, list, maximumItems, maximum_bytes }: LongBody, reading: Reading): LongForm<Invalid> => {
  const decode = decoderAt(item, reading)
  const tooMany = new InvalidParameter({ parameter: list, message: `${list}: expected at most ${maximumItems}` })
  return {
    list,
    maximum_bytes,
    decodeItem: (value, index) => (index < maximumItems ? decode(value, `${list}[${index}]`) : Exit.fail(() => tooMany))
  }
}

/** Decodes by a schema. A failure names the first invalid field and the expected value, never a value of the input. */
const decoder = (schema: Schema.Top | undefined, reading = lenient): Decoder => {
  if (schema === undefined) return () => nothing
  const decode = decoderAt(schema, reading)
  return (value) => decode(value, "")
}

/** The same for a value within the input, at a path such as `changes[3]`. */
const decoderAt = (schema: Schema.Top, { fixed, onExcessProperty }: Reading) => {
  const decode = Schema.decodeUnknownExit(schema as Schema.Codec<unknown>, { onExcessProperty })
  return (value: unknown, path: string): Exit.Exit<unknown, Invalid> => {
    const exit = decode(value)
    return Exit.isSuccess(exit)
      ? (exit as Exit.Success<unknown>)
      : Exit.fail((directory) => explain(exit, directory, path, fixed))
  }
}

const nothing = Exit.succeed(undefined)

const explain = (
  exit: Exit.Failure<unknown, Schema.SchemaError>,
  directory: Directory,
  path: string,
  fixed: FixedFields
): InvalidBody | InvalidParameter => {
  const failed = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  let known: ReadonlyArray<string> | undefined
  const describe = describeIssues(directory, (object) => {
    known = Object.keys(fieldsOf(object))
  })
  const first = failed === undefined ? undefined : describe(failed.error.issue).issues[0]
  if (known !== undefined) {
    const steps = [...(first?.path ?? [])]
    const name = String(nameOf(steps.pop() ?? ""))
    const place = steps.reduce<string>(appendToPath, path)
    return new InvalidBody({ message: explainUnknownField({ name, place, known }, fixed) })
  }
  const parameter = (first?.path ?? []).reduce<string>(appendToPath, path)
  const message = first?.message ?? "expected a valid value"
  return parameter === ""
    ? new InvalidBody({ message: "the body: expected a JSON object" })
    : new InvalidParameter({ parameter, message: `${parameter}: ${message}` })
}

/** @param onUnknownField called with the object that has an unknown field, which is then the only issue */
const describeIssues = (directory: Directory, onUnknownField: (object: SchemaAST.AST) => void) =>
  SchemaIssue.makeFormatterStandardSchemaV1({
    leafHook: (issue) => {
      if (issue._tag === "UnexpectedKey") onUnknownField(issue.ast)
      if (issue._tag === "MissingKey") return "this is required"
      // By default, the name that a text has in the API description.
      if (issue._tag === "InvalidType" && SchemaAST.isString(issue.ast)) return "expected string"
      const message = lowerFirst(SchemaIssue.defaultLeafHook(issue))
      return issue instanceof MalformedPostcode ? explainMalformed(directory, issue.text, { message }) : message
    }
  })

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

type Step = PropertyKey | { readonly key: PropertyKey }

const nameOf = (step: Step): PropertyKey => (typeof step === "object" ? step.key : step)

const appendToPath = (path: string, step: Step): string => {
  const key = nameOf(step)
  return typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`
}
