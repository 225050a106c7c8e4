/** The whole service in this process, on a directory of this machine: the same calls, answers and errors, and all free. */
import { randomBytes } from "node:crypto"
import { createPostcodeClient } from "@postcode/client"
import { Prices } from "@postcode/gateway/credits/Prices"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { openGateway } from "@postcode/http"
import { MemoryStore } from "@postcode/memory"
import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import type { OpenedDirectory } from "@postcode/server/directory/openDirectory"
import { Effect, Layer, Logger, Redacted, type Scope } from "effect"
import type { McpService } from "./McpService.ts"

/** @param name what the directory is, for agents */
export const openOffline = (
  { attributesOf, directory }: OpenedDirectory,
  name: string
): Effect.Effect<McpService, never, Scope.Scope> =>
  Effect.gen(function* () {
    const operatorToken = randomBytes(32).toString("hex")
    const ports = Layer.mergeAll(
      MemoryStore.layer,
      layerDirectory(directory, attributesOf),
      layerSessionTokens([{ id: "unused", secret: Redacted.make(randomBytes(32).toString("hex")) }]),
      Layer.succeed(Prices, free),
      // Standard output is for the protocol alone.
      Logger.layer([])
    ).pipe(Layer.provideMerge(layerNodeSecrets({ version: 1, secret: Redacted.make(randomBytes(32).toString("hex")) })))
    const gateway = yield* Effect.acquireRelease(
      Effect.promise(() =>
        openGateway({ operatorToken: Redacted.make(operatorToken), loadControl: false, ...unlimited }, ports)
      ),
      ({ close }) => Effect.promise(close)
    )
    const fetch = (request: Request) => gateway.fetch(request, { peer_address: "127.0.0.1" })
    const apiKey = yield* Effect.promise(() => createKey(fetch, operatorToken))
    const client = createPostcodeClient({ baseUrl: url, fetch, apiKey })
    return { client, url, source: undefined, name, isMetered: false, hasKey: true, prices: async () => free }
  })

/** Names nothing: the calls stay in this process. */
const url = "http://offline.invalid"

const free = { lookup: { 2: 0, 3: 0, 4: 0, 5: 0 }, widget_session: 0, address_search: 0 }

const unlimited = {
  keyRateLimit_per_minute: 1_000_000,
  organizationRateLimit_per_minute: 1_000_000,
  addressRateLimit_per_minute: 1_000_000
}

/** A key that sees all of the directory, since the user has all of it. */
const createKey = async (fetch: (request: Request) => Promise<Response>, token: string): Promise<string> => {
  const operator = createPostcodeClient({ baseUrl: url, fetch, token })
  const { data: organization } = await operator.request("POST /v1/admin/organizations", { body: { name: "Offline" } })
  const params = { id: organization.id }
  await operator.request("PATCH /v1/admin/organizations/:id", {
    params,
    body: { granted_level: 5, kyb_status: "verified", review_note: "The directory is the user's." }
  })
  const { data: key } = await operator.request("POST /v1/admin/organizations/:id/keys", {
    params,
    body: { name: "offline", kind: "secret", environment: "live", scopes: ["search", "lookup"], max_level: 5 }
  })
  return key.secret
}
