/**
 * Completes the API description with the contract's annotations: access, response headers, and numeric types of query
 * parameters.
 */
import { Context, Schema } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { Access, FromDirectory, Leveled, Metered, OAuth, sessionCookie } from "./access.ts"
import { type ErrorStatus, errorCodes, oauthErrorCodes } from "./errors.ts"
import { parameterSchemas } from "./parameters.ts"
import { type DescribedEvent, webhookEvents } from "./webhookEvents.ts"

type Json = Record<string, unknown>
interface Operation extends Json {
  operationId: string
  parameters: Array<{ name: string; in: string; schema: unknown }>
  responses: Record<string, Json>
  security: Array<Json>
}
interface Description extends Json {
  paths: Record<string, Record<string, Operation>>
  components: Json
}

/** Completes the document that effect derives from the contract. */
export const describe =
  <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  (spec: Json): Json => {
    const document = simplified(spec) as Description
    document.servers = [{ url: "/", description: "The service that serves this description." }]
    const endpoints = annotationsOf(api)
    for (const path of Object.values(document.paths)) {
      for (const operation of Object.values(path)) {
        const annotations = endpoints.get(operation.operationId) ?? Context.empty()
        completeOperation(operation, annotations)
      }
    }
    document.webhooks = Object.fromEntries(webhookEvents.map((event) => [event.type, { post: receivedEvent(event) }]))
    document.components = {
      ...document.components,
      headers,
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        sessionToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        operatorToken: { type: "http", scheme: "bearer" },
        managementKey: { type: "http", scheme: "bearer" },
        consoleSession: { type: "apiKey", in: "cookie", name: sessionCookie }
      }
    }
    return document
  }

/** The request that an organization's endpoint receives. */
const receivedEvent = ({ body, summary, type }: DescribedEvent): Json => ({
  operationId: `webhooks.${type.replaceAll(".", "_")}`,
  summary,
  security: [],
  requestBody: {
    required: true,
    content: { "application/json": { schema: simplified(Schema.toJsonSchemaDocument(body).schema) } }
  },
  responses: {
    "2XX": { description: "Received." },
    "4XX": { description: "Not received. The event is sent again later, except after 410, which disables the webhook." }
  }
})

const annotationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyMap<string, Context.Context<never>> => {
  const found = new Map<string, Context.Context<never>>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations }) =>
      found.set(`${group.identifier}.${endpoint.identifier}`, mergedAnnotations)
  })
  return found
}

const completeOperation = (operation: Operation, annotations: Context.Context<never>): void => {
  const metered = Context.get(annotations, Metered)
  const fromDirectory = Context.get(annotations, FromDirectory)
  operation.security = security[Context.get(annotations, Access)]
  operation.parameters = operation.parameters.map((parameter) => {
    const schema = parameterSchemas[`${operation.operationId}.${parameter.name}`] ?? parameterSchemas[parameter.name]
    return parameter.in === "query" && schema !== undefined ? { ...parameter, schema } : parameter
  })
  if (metered) operation.parameters.push(idempotencyKey)
  const showsCredits = metered && Context.get(annotations, Access) !== "publishable"
  for (const [status, response] of Object.entries(operation.responses)) {
    response.headers = headersOf(status, { showsCredits, fromDirectory, graded: Context.get(annotations, Leveled) })
    const codes =
      status === "400" && Context.get(annotations, OAuth) ? oauthErrorCodes : errorCodes[Number(status) as ErrorStatus]
    if (codes !== undefined) response.description = codes.join(", ")
  }
}

const security: Readonly<Record<Access, Array<Json>>> = {
  public: [{}, { apiKey: [] }],
  key: [{ apiKey: [] }],
  publishable: [{ apiKey: [] }],
  secret: [{ apiKey: [] }],
  session: [{ sessionToken: [] }],
  manager: [{ operatorToken: [] }, { managementKey: [] }, { consoleSession: [] }],
  visitor: [{}]
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Makes the request safe to repeat: for 24 hours a repetition is not charged again.",
  schema: { type: "string", minLength: 1, maxLength: 128 }
}

const header = (description: string, type: "integer" | "string") => ({ description, schema: { type } })

const headers: Json = {
  "X-Request-Id": header("The id of this request. A valid id that you send is used.", "string"),
  "X-RateLimit-Limit": header("Requests allowed per minute.", "integer"),
  "X-RateLimit-Remaining": header("Requests left in the current window.", "integer"),
  "X-RateLimit-Reset": header("Seconds until the window is full again.", "integer"),
  "Retry-After": header("Seconds to wait before you retry.", "integer"),
  "X-Lookup-Level": header("The level served.", "integer"),
  "X-Credits-Charged": header(
    "Credits charged for this response. Secret keys only: for a success from level 2 or with an `Idempotency-Key`, and 0 if the credits or the key's daily limit do not suffice.",
    "integer"
  ),
  "X-Credits-Remaining": header("The balance after this response. Only together with `X-Credits-Charged`.", "integer"),
  "X-Data-Version": header(
    "The version of the data: the edition, percent-encoded, then `+` and the number of changes to it, if any.",
    "string"
  ),
  "X-Data-Date": header("The date of that edition, YYYY-MM-DD, if it is known.", "string")
}

interface Kind {
  /** Whether responses to secret keys report the cost. */
  readonly showsCredits: boolean
  readonly fromDirectory: boolean
  /** Whether the response names the level served. */
  readonly graded: boolean
}

/** A key's daily limit is answered with 429. */
const withCredits = new Set(["200", "402", "429"])

const headersOf = (status: string, { fromDirectory, graded, showsCredits }: Kind): Json => {
  const names = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]
  if (status === "429" || status === "503") names.push("Retry-After")
  if (graded && status === "200") names.push("X-Lookup-Level")
  if (showsCredits && withCredits.has(status)) names.push("X-Credits-Charged", "X-Credits-Remaining")
  if (fromDirectory && status === "200") names.push("X-Data-Version", "X-Data-Date")
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/**
 * Version 1 may add fields to responses, so no response schema is closed, and that an object is open needs no schema. A
 * choice of one schema is that schema, since linters report such choices.
 */
const simplified = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(simplified)
  if (typeof value !== "object" || value === null) return value
  const { anyOf, ...others } = value as Json
  if (Array.isArray(anyOf) && anyOf.length === 1) return simplified({ ...anyOf[0], ...others })
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(key === "additionalProperties" && inner === false))
      .filter(([key, inner]) => !(key === "allOf" && JSON.stringify(inner) === anyFields))
      .map(([key, inner]) => [key, simplified(inner)])
  )
}

/** What effect adds to the schema of an object with known and other fields. */
const anyFields = '[{"type":"object","additionalProperties":{}}]'
