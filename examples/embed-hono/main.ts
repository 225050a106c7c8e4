/** The gateway mounted in a Hono app on Node, through its function from `Request` to `Response`. */
import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { demoDirectory } from "@postcode/demo"
import { createGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"
import { Hono } from "hono"

const gateway = await createGateway({
  operatorToken: process.env.POSTCODE_OPERATOR_TOKEN ?? "an-operator-token-for-trying-it-out",
  directory: demoDirectory({ units: 10_000 }),
  store: memoryStore()
})

const app = new Hono()
// The address tells clients without a key apart.
app.all("/v1/*", (c) => gateway.fetch(c.req.raw, { peer_address: getConnInfo(c).remote.address ?? "unknown" }))
app.get("/", (c) => c.text("This is the app. The gateway is under /v1.\n"))

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8080), hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`listening on http://127.0.0.1:${port}`)
)

const stop = () => {
  gateway.drain()
  server.close(() => void gateway.close())
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
