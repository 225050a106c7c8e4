/** The gateway as a route handler of Next's app router: everything under /v1 is the gateway's. */
import { demoDirectory } from "@postcode/demo"
import { createGateway, type EmbeddedGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"

const open = (): Promise<EmbeddedGateway> =>
  createGateway({
    operatorToken: process.env.POSTCODE_OPERATOR_TOKEN ?? "an-operator-token-for-trying-it-out",
    directory: demoDirectory({ units: 10_000 }),
    store: memoryStore(),
    trustedProxies: [proxy]
  })

// A route handler is told nothing of its peer. With a proxy in front, the last address in X-Forwarded-For is the client's.
const proxy = "127.0.0.1"
const peer = process.env.BEHIND_PROXY === "1" ? { peer_address: proxy } : {}

// Not as the module is loaded, which a build does, too. And once for all modules: in development, Next loads this one
// anew with each change.
const kept = globalThis as { gateway?: Promise<EmbeddedGateway> | undefined }
const gateway = (): Promise<EmbeddedGateway> => {
  kept.gateway ??= open().catch((error) => {
    kept.gateway = undefined
    throw error
  })
  return kept.gateway
}

const answer = async (request: Request): Promise<Response> => (await gateway()).fetch(request, peer)

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT
}
