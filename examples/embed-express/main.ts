/** The gateway mounted in an Express app, beside routes of the app's own. */
import type { AddressInfo } from "node:net"
import { demoDirectory } from "@postcode/demo"
import { createGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"
import express from "express"

const gateway = await createGateway({
  operatorToken: process.env.POSTCODE_OPERATOR_TOKEN ?? "an-operator-token-for-trying-it-out",
  directory: demoDirectory({ units: 10_000 }),
  store: memoryStore()
})

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
