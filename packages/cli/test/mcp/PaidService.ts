/** A service in this process whose lookups and address searches cost credits. */
import { createPostcodeClient, type PostcodeClient } from "@postcode/client"
import { defaultPriceList, type PriceList } from "@postcode/core/Prices"
import { createGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"
import type { OpenedDirectory } from "@postcode/server/directory/openDirectory"
import type { McpService } from "../../src/mcp/McpService.ts"
import { askForPrices } from "../../src/mcp/servicePrices.ts"

export interface PaidService extends AsyncDisposable {
  readonly service: McpService
  /** The balance of the organization. */
  readonly balance: () => Promise<number>
}

type Through = (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response>

export interface PaidOptions {
  readonly prices?: PriceList
  /** Replaces the way to the service, except for its prices. */
  readonly through?: Through
  readonly throughForPrices?: Through
  readonly hasKey?: boolean
  readonly kind?: "publishable" | "secret"
  /** Of each call. */
  readonly retries?: number
}

const url = "http://paid.example"
const operatorToken = "an-operator-token-for-tests-alone"

export const openPaidService = async (
  { attributesOf, directory }: OpenedDirectory,
  {
    hasKey = true,
    kind = "secret",
    prices = defaultPriceList,
    retries = 0,
    through = (request, send) => send(request),
    throughForPrices = (request, send) => send(request)
  }: PaidOptions = {}
): Promise<PaidService> => {
  const gateway = await createGateway({
    operatorToken,
    directory: { directory, attributes: attributesOf },
    store: memoryStore(),
    prices
  })
  const send = (request: Request) => gateway.fetch(request, { peer_address: "127.0.0.1" })
  const operator = createPostcodeClient({ baseUrl: url, fetch: send, token: operatorToken })
  const { id, secret } = await createPayer(operator, kind)
  const client = createPostcodeClient({
    baseUrl: url,
    fetch: (request) =>
      request.url.endsWith("/v1/reference/prices") ? throughForPrices(request, send) : through(request, send),
    retries,
    ...(hasKey && { apiKey: secret })
  })
  return {
    service: {
      ...{ client, url, source: undefined, name: "the service of the tests", isMetered: true, hasKey },
      prices: askForPrices(client)
    },
    balance: async () => {
      const query = { environment: "live" } as const
      const { data } = await operator.request("GET /v1/admin/organizations/:id/credits", { params: { id }, query })
      return data.balance
    },
    [Symbol.asyncDispose]: () => gateway.close()
  }
}

const createPayer = async (operator: PostcodeClient, kind: "publishable" | "secret") => {
  const { data: organization } = await operator.request("POST /v1/admin/organizations", { body: { name: "Shop" } })
  const params = { id: organization.id }
  await operator.request("PATCH /v1/admin/organizations/:id", {
    params,
    body: { granted_level: 4, kyb_status: "verified", review_note: "of the tests" }
  })
  await operator.request("POST /v1/admin/organizations/:id/credits", {
    params,
    body: { environment: "live", amount: 1_000, reference: "tests" }
  })
  const { data: key } = await operator.request("POST /v1/admin/organizations/:id/keys", {
    params,
    body: {
      name: "agent",
      environment: "live",
      scopes: ["search", "lookup"],
      ...(kind === "secret" ? { kind, max_level: 4 } : { kind, max_level: 2, origins: ["https://shop.example"] })
    }
  })
  return { id: organization.id, secret: key.secret }
}
