/** The real service in this process, on a store in memory, and what an operator makes in it through the client itself. */
import { demoDirectory } from "@postcode/demo"
import { withSandbox } from "@postcode/demo/sandbox"
import { createGateway, type NodeHandler } from "@postcode/http"
import { memoryStore } from "@postcode/memory"
import { type ClientOptions, createPostcodeClient, type InputOf, type PostcodeClient } from "../src/index.ts"

export interface TestGateway {
  readonly fetch: (request: Request) => Promise<Response>
  /** The same for a server. */
  readonly nodeHandler: NodeHandler
  readonly operator: PostcodeClient
  /** A postcode that exists, and where it is. */
  readonly postcode: string
  readonly place: { readonly lat: number; readonly lng: number }
  /** A key of an organization of its own, with 1,000 test credits. */
  readonly newKey: (
    changes?: Partial<KeyBody>
  ) => Promise<{ readonly secret: string; readonly organization_id: string }>
  readonly client: (options?: Partial<ClientOptions>) => PostcodeClient
  readonly close: () => Promise<void>
}

type KeyBody = InputOf<"POST /v1/admin/organizations/:id/keys">["body"]

const baseUrl = "https://gateway.example"
export const operatorToken = "an-operator-token-for-tests-alone"

export const openTestGateway = async (): Promise<TestGateway> => {
  const demo = demoDirectory({ units: 5_000 })
  const { directory } = demo
  const gateway = await createGateway({ operatorToken, directory: demo, store: withSandbox(memoryStore()) })
  const { close, fetch, nodeHandler } = gateway
  const client: TestGateway["client"] = (options) => createPostcodeClient({ baseUrl, fetch, ...options })
  const operator = client({ token: operatorToken })
  const active = Array.from({ length: directory.size }, (_, id) => id).find((id) => directory.isActive(id)) ?? 0
  const { lat, lon: lng } = directory.coordinateAt(active)
  return {
    fetch,
    nodeHandler,
    operator,
    postcode: directory.postcodeAt(active),
    place: { lat, lng },
    newKey: (changes) => newKey(operator, changes),
    client,
    close
  }
}

const newKey = async (operator: PostcodeClient, changes: Partial<KeyBody> = {}) => {
  const { data: organization } = await operator.request("POST /v1/admin/organizations", { body: { name: "Shop" } })
  const params = { id: organization.id }
  await operator.request("PATCH /v1/admin/organizations/:id", {
    params,
    body: { granted_level: 5, kyb_status: "verified", review_note: "for a test" }
  })
  const body = {
    name: "test",
    kind: "secret",
    environment: "test",
    scopes: ["search", "lookup"],
    max_level: 4
  } as const
  const { data } = await operator.request("POST /v1/admin/organizations/:id/keys", {
    params,
    body: { ...body, ...changes }
  })
  return data
}
