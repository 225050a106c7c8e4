/** The tools, one endpoint each. Names are those of the commands; descriptions and schemas are made from the contract. */
import { Api, FreeQuery, Metered } from "@postcode/api"
import type { Route } from "@postcode/client"
import { type AccessLevel, accessLevels } from "@postcode/core/AccessLevel"
import { isPriced, type PriceList } from "@postcode/core/Prices"
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { type JsonSchema, withoutReferences } from "./JsonSchema.ts"
import { outputSchema } from "./Output.ts"

/** The parameters of a call. Those of an agent may be anything; the service checks them. */
export type Query = Readonly<Record<string, unknown>>

/** One endpoint, as an agent calls it. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly route: Route
  /** The parameters that the agent cannot choose. */
  readonly fixed: Query
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** The most that a call may cost in credits; 0 if the contract says that the call is free. */
  readonly price: (query: Query, hasKey: boolean, prices: ToolPrices) => number
}

/** The prices of a service that matter to tools. */
export type ToolPrices = Pick<PriceList, "address_search" | "lookup">

interface Choice {
  readonly route: Route
  readonly fixed?: Query
  /** What the tool is for, where its endpoint does more. */
  readonly purpose?: string
}

const choices: Readonly<Record<string, Choice>> = {
  validate: {
    route: "GET /v1/lookup",
    fixed: { level: 1 },
    purpose: "Checks whether a postcode exists, by a lookup at level 1, which is free."
  },
  complete: { route: "GET /v1/search/autocomplete" },
  find: { route: "GET /v1/search/address" },
  reverse: { route: "GET /v1/search/reverse" },
  nearby: { route: "GET /v1/search/nearby" },
  lookup: { route: "GET /v1/lookup" }
}

/** All tools, free and paid. */
export const allTools = (): ReadonlyArray<Tool> => {
  const description = OpenApi.fromApi(Api) as unknown as ApiDescription
  const annotations = annotationsByRoute()
  return Object.entries(choices).map(([name, choice]) =>
    toolOf(name, choice, description, annotations.get(choice.route) ?? Context.empty())
  )
}

/** Whether some calls of a tool may cost credits. */
export const mayCost = ({ fixed, price }: Tool, hasKey: boolean, prices: ToolPrices): boolean =>
  price({ level: Math.max(...accessLevels), ...fixed }, hasKey, prices) > 0

/** What is used of the API description. */
interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

interface Operation {
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> } }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: JsonSchema
}

const toolOf = (
  name: string,
  { fixed = {}, purpose, route }: Choice,
  { components, paths }: ApiDescription,
  annotations: Context.Context<never>
): Tool => {
  const [method = "", path = ""] = route.split(" ")
  const operation = paths[path]?.[method.toLowerCase()]
  const success = operation?.responses[200].content["application/json"]
  if (operation === undefined || success === undefined) throw new Error(`the contract has no ${route}`)
  const { description, parameters, summary } = operation
  const chosen = parameters.filter((one) => one.in === "query" && !Object.hasOwn(fixed, one.name))
  return {
    name,
    title: summary,
    description: purpose === undefined ? description : `${purpose} ${description}`,
    route,
    fixed,
    input: withoutReferences(inputSchema(chosen), components.schemas),
    output: withoutReferences(outputSchema(success.schema), components.schemas),
    price: priceOf(route, annotations)
  }
}

const inputSchema = (parameters: ReadonlyArray<Parameter>): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name)
})

const priceOf =
  (route: Route, annotations: Context.Context<never>): Tool["price"] =>
  (query, hasKey, prices) => {
    const isFree = !Context.get(annotations, Metered) || Context.get(annotations, FreeQuery)(query, hasKey)
    if (isFree) return 0
    if (route !== "GET /v1/lookup") return prices.address_search
    const level = accessLevels.find((one) => one === query.level) ?? highestLevel
    return isPriced(level) ? prices.lookup[level] : 0
  }

const highestLevel: AccessLevel = 5

const annotationsByRoute = (): ReadonlyMap<string, Context.Context<never>> => {
  const found = new Map<string, Context.Context<never>>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => found.set(`${endpoint.method} ${endpoint.path}`, mergedAnnotations)
  })
  return found
}
