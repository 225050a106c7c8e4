/** The gateway mounted in an Express app, beside routes of the app's own. */
import type { AddressInfo } from "node:net"
import { demoDirectory } from "@postcode/demo"
import { openGateway } from "@postcode/http"
import { layerDirectory, MemoryStore } from "@postcode/memory"
import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { Layer, Redacted } from "effect"
import express from "express"

const secret = (name: string, otherwise: string) => Redacted.make(process.env[name] ?? otherwise)

const { attributes, directory } = demoDirectory({ units: 10_000 })
const gateway = await openGateway(
  { operatorToken: secret("POSTCODE_OPERATOR_TOKEN", "an-operator-token-for-trying-it-out") },
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

const app = express()
// Before any body parser: the gateway reads bodies itself, and strictly.
app.use("/v1", gateway.nodeHandler)
app.get("/", (_req, res) => {
  res.type("text/plain").send("This is the app. The gateway is under /v1.\n")
})

const server = app.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

const stop = () => {
  gateway.drain()
  server.close(() => void gateway.close())
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
