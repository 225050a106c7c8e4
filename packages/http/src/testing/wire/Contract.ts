/** The endpoints of the wire contract, as tests need them: found by a request, and with what each may answer. */
import { Access, Api, FromDirectory, Metered, Unlimited } from "@postcode/api"
import { Context, type Exit, Schema, SchemaAST } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { hostedFiles } from "../world/HostedFiles.ts"

type Groups = (typeof Api)["groups"]

/** Every endpoint's name: `search.reverse`. */
export type Operation = {
  [Group in keyof Groups & string]: `${Group}.${keyof Groups[Group]["endpoints"] & string}`
}[keyof Groups & string]

/** An endpoint of the contract, as far as tests ask of it. */
export interface Endpoint {
  readonly operation: Operation
  readonly method: string
  /** `/v1/admin/keys/:id` */
  readonly path: string
  readonly access: Access
  readonly metered: boolean
  readonly unlimited: boolean
  readonly fromDirectory: boolean
  readonly queryNames: ReadonlyArray<string>
  readonly bodyNames: ReadonlyArray<string>
  readonly hasBody: boolean
  readonly successStatus: number
  /** Checks the whole body of a success, refusing what the contract does not name. */
  readonly decodeSuccess: (body: unknown) => Exit.Exit<unknown, Schema.SchemaError>
  readonly errorStatuses: ReadonlySet<number>
  /** The response headers that the interface description names under a status, in small letters. */
  readonly describedHeaders: (status: number) => ReadonlyArray<string>
}

/**
 * The endpoint under a method and a path without its query; HEAD counts as GET. What stands under exactly this path,
 * whatever the method, comes before what takes an id in its place.
 */
export const findEndpoint = (method: string, path: string): Endpoint | undefined => {
  const asked = method === "HEAD" ? "GET" : method
  const exact = endpoints.filter((endpoint) => endpoint.path === path)
  const candidates = exact.length > 0 ? exact : endpoints.filter((endpoint) => matches(endpoint.path, path))
  return candidates.find((endpoint) => endpoint.method === asked)
}

/** The endpoint of an operation. */
export const endpointOf = (operation: Operation): Endpoint => {
  const found = endpoints.find((endpoint) => endpoint.operation === operation)
  if (found === undefined) throw new Error(`the contract has no operation ${operation}`)
  return found
}

/** All of them, in the contract's order. */
export const endpoints: ReadonlyArray<Endpoint> = reflect()

/** What is no part of the contract's groups: the description, its page, and the operator's files. */
const documentsByPath: ReadonlyMap<string, { readonly contentType: string; readonly cacheControl: string }> = new Map([
  ["/v1/openapi.json", { contentType: "application/json; charset=utf-8", cacheControl: "no-cache" }],
  ["/v1/docs", { contentType: "text/html; charset=utf-8", cacheControl: "no-cache" }],
  ...hostedFiles.map(
    ({ contentType, headers, path }) =>
      [path, { contentType, cacheControl: headers?.["cache-control"] ?? "no-cache" }] as const
  )
])

/** Their paths. */
export const documents: ReadonlyArray<string> = [...documentsByPath.keys()]

/** How the document at a path is served; undefined where there is none. */
export const documentAt = (path: string) => documentsByPath.get(path)

function reflect(): ReadonlyArray<Endpoint> {
  const found: Array<Endpoint> = []
  const { paths } = OpenApi.fromApi(Api)
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, mergedAnnotations, successes }) => {
      const [success] = [...successes]
      if (success === undefined) throw new Error(`${endpoint.identifier} declares no success`)
      const payload = [...endpoint.payload.values()][0]?.schemas[0]
      found.push({
        operation: `${group.identifier}.${endpoint.identifier}` as Operation,
        method: endpoint.method,
        path: endpoint.path,
        access: Context.get(mergedAnnotations, Access),
        metered: Context.get(mergedAnnotations, Metered),
        unlimited: Context.get(mergedAnnotations, Unlimited),
        fromDirectory: Context.get(mergedAnnotations, FromDirectory),
        queryNames: namesOf(endpoint.query),
        bodyNames: namesOf(payload),
        hasBody: payload !== undefined,
        successStatus: success[0],
        decodeSuccess: Schema.decodeUnknownExit(success[1][0] as Schema.Codec<unknown>, { onExcessProperty: "error" }),
        errorStatuses: new Set(errors.keys()),
        describedHeaders: (status) => {
          const path = paths[endpoint.path.replaceAll(/:(\w+)/g, "{$1}")]
          const response = path?.[endpoint.method.toLowerCase() as "get"]?.responses[status]
          return Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase())
        }
      })
    }
  })
  return found
}

function namesOf(schema: Schema.Constraint | undefined): ReadonlyArray<string> {
  if (schema === undefined) return []
  const encoded = SchemaAST.toEncoded(schema.ast)
  return SchemaAST.isObjects(encoded) ? encoded.propertySignatures.map(({ name }) => String(name)) : []
}

/** What can be an id at all: a path with anything else in its place leads nowhere. */
const idPattern = /^[A-Za-z0-9_]{1,64}$/

function matches(pattern: string, path: string): boolean {
  const steps = path.split("/")
  const expected = pattern.split("/")
  return (
    steps.length === expected.length &&
    expected.every((step, i) => (step.startsWith(":") ? idPattern.test(steps[i] as string) : step === steps[i]))
  )
}
