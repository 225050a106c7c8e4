/** The gateway inside an app of one's own on `node:http`: everything under /v1 is the gateway's, the rest the app's. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { demoDirectory } from "@postcode/demo"
import { createGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"

const gateway = await createGateway({
  operatorToken: process.env.POSTCODE_OPERATOR_TOKEN ?? "an-operator-token-for-trying-it-out",
  directory: demoDirectory({ units: 10_000 }),
  store: memoryStore()
})

const server = createServer((req, res) => {
  if (req.url?.startsWith("/v1/")) {
    gateway.nodeHandler(req, res)
    return
  }
  res.setHeader("content-type", "text/plain; charset=utf-8")
  res.end("This is the app. The gateway is under /v1, its documentation at /v1/docs.\n")
})

server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

const stop = () => {
  gateway.drain()
  server.close(() => void gateway.close())
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
