/** The gateway as a route handler of Next's app router: everything under /v1 is the gateway's. */
import { demoDirectory } from "@postcode/demo"
import { type EmbeddedGateway, openGateway } from "@postcode/http"
import { layerDirectory, MemoryStore } from "@postcode/memory"
import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { Layer, Redacted } from "effect"

const secret = (name: string, otherwise: string) => Redacted.make(process.env[name] ?? otherwise)

const open = (): Promise<EmbeddedGateway> => {
  const { attributes, directory } = demoDirectory({ units: 10_000 })
  return openGateway(
    {
      operatorToken: secret("POSTCODE_OPERATOR_TOKEN", "an-operator-token-for-trying-it-out"),
      trustedProxies: [proxy]
    },
    Layer.mergeAll(
      MemoryStore.layer,
      layerDirectory(directory, attributes),
      layerNodeSecrets({
        version: 1,
        secret: secret("POSTCODE_IDENTIFIER_PEPPER", "a-pepper-for-trying-it-out-no-more")
      }),
      layerSessionTokens([
        { id: "first", secret: secret("SESSION_SECRET", "a-signing-key-for-trying-it-out-and-no-more") }
      ])
    )
  )
}

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
