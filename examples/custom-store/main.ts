/** The gateway on a store of one's own: organizations, keys and credits are in one SQLite file, and stay there. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { demoDirectory } from "@postcode/demo"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { openGateway } from "@postcode/http"
import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { Layer, Redacted } from "effect"
import { layerSqliteStore } from "./store/SqliteStore.ts"

const secret = (name: string, otherwise: string) => Redacted.make(process.env[name] ?? otherwise)

const { attributes, directory } = demoDirectory({ units: 10_000 })
const gateway = await openGateway(
  { operatorToken: secret("POSTCODE_OPERATOR_TOKEN", "an-operator-token-for-trying-it-out") },
  Layer.mergeAll(
    layerSqliteStore(process.env.STORE ?? "postcode.sqlite"),
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

const server = createServer(gateway.nodeHandler)
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

const stop = () => {
  gateway.drain()
  server.close(() => void gateway.close())
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
