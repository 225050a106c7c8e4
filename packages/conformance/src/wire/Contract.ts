/** The endpoints of the wire contract for tests: found by request, with their possible answers. */
import { Access, Api, FromDirectory, Leveled, Metered, OAuth, Unlimited } from "@postcode/api"
import { Context, type Exit, Schema, SchemaAST } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { hostedFiles } from "../world/HostedFiles.ts"

type Groups = (typeof Api)["groups"]

/** Every endpoint's name: `search.reverse`. */
export type Operation = {
  [Group in keyof Groups & string]: `${Group}.${keyof Groups[Group]["endpoints"] & string}`
}[keyof Groups & string]

/** The properties of an endpoint that tests use. */
export interface Endpoint {
  readonly operation: Operation
  readonly method: string
  /** `/v1/admin/keys/:id` */
  readonly path: string
  /** Whether a path is the endpoint's, with any id. */
  readonly hasPath: (path: string) => boolean
  readonly access: Access
  readonly metered: boolean
  readonly leveled: boolean
  readonly unlimited: boolean
  readonly fromDirectory: boolean
  readonly isOAuth: boolean
  readonly queryNames: ReadonlyArray<string>
  readonly bodyNames: ReadonlyArray<string>
  readonly hasBody: boolean
  /** The objects in the body whose fields are all known, as paths: `[]` is the body, `["points", 0]` an item of a list. */
  readonly bodyObjects: ReadonlyArray<ObjectPath>
  readonly successStatus: number
  /** Checks the whole body of a success. Refuses fields that are not in the contract. */
  readonly decodeSuccess: (body: unknown) => Exit.Exit<unknown, Schema.SchemaError>
  readonly errorStatuses: ReadonlySet<number>
  /** The response headers of a status in the interface description, in lower case. */
  readonly describedHeaders: (status: number) => ReadonlyArray<string>
}

/** Names of fields, and 0 for the first item of a list. */
export type ObjectPath = ReadonlyArray<number | string>

/**
 * The endpoint of a method and a path without its query. HEAD counts as GET. An exact path, with any method, takes
 * precedence over a path with an id.
 */
export const findEndpoint = (method: string, path: string): Endpoint | undefined => {
  const asked = method === "HEAD" ? "GET" : method
  const exact = endpoints.filter((endpoint) => endpoint.path === path)
  const candidates = exact.length > 0 ? exact : endpoints.filter((endpoint) => endpoint.hasPath(path))
  return candidates.find((endpoint) => endpoint.method === asked)
}

/** The endpoint of an operation. */
export const endpointOf = (operation: Operation): Endpoint => {
  const found = endpoints.find((endpoint) => endpoint.operation === operation)
  if (found === undefined) throw new Error(`the contract has no operation ${operation}`)
  return found
}

/** All endpoints, in the contract's order. */
export const endpoints: ReadonlyArray<Endpoint> = reflect()

/** Documents outside the contract's groups: the description, its page, and the operator's files. */
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

/** The properties of the document at a path; undefined without one. */
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
        hasPath: matcherOf(endpoint.path),
        access: Context.get(mergedAnnotations, Access),
        metered: Context.get(mergedAnnotations, Metered),
        leveled: Context.get(mergedAnnotations, Leveled),
        unlimited: Context.get(mergedAnnotations, Unlimited),
        fromDirectory: Context.get(mergedAnnotations, FromDirectory),
        isOAuth: Context.get(mergedAnnotations, OAuth),
        queryNames: namesOf(endpoint.query),
        bodyNames: namesOf(payload),
        hasBody: payload !== undefined,
        bodyObjects: payload === undefined ? [] : objectsIn(SchemaAST.toEncoded(payload.ast), []),
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

function objectsIn(ast: SchemaAST.AST, path: ObjectPath): ReadonlyArray<ObjectPath> {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => objectsIn(type, path))
  if (SchemaAST.isArrays(ast)) return ast.rest.flatMap((type) => objectsIn(type, [...path, 0]))
  if (!SchemaAST.isObjects(ast)) return []
  const inner = ast.propertySignatures.flatMap(({ name, type }) => objectsIn(type, [...path, String(name)]))
  return ast.indexSignatures.length > 0 ? inner : [path, ...inner]
}

/** The form of ids and postcodes. A path with another text in place of one is unknown. */
function parameterPattern(name: string): RegExp {
  return name === ":postcode" ? /^(?:[A-Za-z0-9-]|%20){1,64}$/ : /^[A-Za-z0-9_]{1,64}$/
}

/** Whether a path is one of a pattern, such as `/v1/places/:code`. */
function matcherOf(pattern: string): (path: string) => boolean {
  const expected = pattern.split("/").map((step) => (step.startsWith(":") ? parameterPattern(step) : step))
  return (path) => {
    const steps = path.split("/")
    return (
      steps.length === expected.length &&
      expected.every((step, i) => (typeof step === "string" ? step === steps[i] : step.test(steps[i] as string)))
    )
  }
}
