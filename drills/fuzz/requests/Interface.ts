/** The service's own description of itself, as a fuzzer needs it: what may be asked, and what may be answered. */
import { Ajv2020 } from "ajv/dist/2020.js"

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string | number | null>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly examples?: ReadonlyArray<string>
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxLength?: number
}

export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

/** The security schemes, none, and none but the word of a browser that a page of the service asks. */
export type Credential =
  | "apiKey"
  | "consoleSession"
  | "managementKey"
  | "nobody"
  | "operatorToken"
  | "ownPage"
  | "sessionToken"

export interface Operation {
  /** `search.reverse` */
  readonly name: string
  readonly method: string
  /** `/v1/admin/keys/{id}` */
  readonly path: string
  readonly query: ReadonlyArray<Parameter>
  readonly body: JsonSchema | undefined
  readonly credentials: ReadonlyArray<Credential>
  /** What is wrong with the body of an answer under a status: undefined if nothing is. */
  readonly refute: (status: number, body: unknown) => string | undefined
}

export interface Interface {
  readonly operations: ReadonlyArray<Operation>
  readonly resolve: (schema: JsonSchema) => JsonSchema
  /** The operation under a method and a path without its query; HEAD counts as GET. */
  readonly find: (method: string, path: string) => Operation | undefined
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

interface DescribedOperation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: JsonSchema
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<Record<string, object>>
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** Reads what `/v1/openapi.json` answers. */
export const readInterface = async (url: string): Promise<Interface> => {
  const described = (await (await fetch(`${url}/v1/openapi.json`)).json()) as Description
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(described, "interface")
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(ajv, path, method, operation))
  )
  const exact = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
  const withIds = operations.filter(({ path }) => path.includes("{"))
  return {
    operations,
    resolve: (schema) => {
      const name = schema.$ref?.split("/").at(-1)
      return name === undefined ? schema : (described.components.schemas[name] as JsonSchema)
    },
    find: (sent, path) => {
      const method = sent === "HEAD" ? "GET" : sent
      return (
        exact.get(`${method} ${path}`) ??
        withIds.find((operation) => operation.method === method && patternOf(operation.path).test(path))
      )
    }
  }
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, "[A-Za-z0-9_]{1,64}")}$`)

const operationOf = (ajv: Ajv2020, path: string, method: string, described: DescribedOperation): Operation => {
  const { operationId, parameters, requestBody, responses, security } = described
  const pointer = `interface#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}/responses`
  return {
    name: operationId,
    method: method.toUpperCase(),
    path,
    query: parameters
      .filter((parameter) => parameter.in === "query")
      .map(({ name, required = false, schema }) => ({ name, required, schema })),
    body: requestBody?.content["application/json"]?.schema,
    credentials: security.flatMap((scheme) => (Object.keys(scheme)[0] ?? "nobody") as Credential),
    refute: (status, body) => {
      if (!(status in responses)) return `the description of ${operationId} declares no ${status}`
      const validate = ajv.getSchema(`${pointer}/${status}/content/application~1json/schema`)
      if (validate === undefined) return `the description of ${operationId} has no schema for ${status}`
      return validate(body) === true
        ? undefined
        : `the description of ${operationId} refuses the body of ${status}: ${ajv.errorsText(validate.errors)}`
    }
  }
}
