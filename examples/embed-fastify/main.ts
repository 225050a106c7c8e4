/** The gateway mounted in a Fastify app, beside routes of the app's own. */
import type { AddressInfo } from "node:net"
import { demoDirectory } from "@postcode/demo"
import { createGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"
import fastify from "fastify"

const gateway = await createGateway({
  operatorToken: process.env.POSTCODE_OPERATOR_TOKEN ?? "an-operator-token-for-trying-it-out",
  directory: demoDirectory({ units: 10_000 }),
  store: memoryStore()
})

const app = fastify()
app.register((v1, _options, done) => {
  // Bodies are left alone here: the gateway reads them itself, and strictly.
  v1.removeAllContentTypeParsers()
  v1.addContentTypeParser("*", (_request, _body, read) => read(null))
  v1.all("/v1/*", (request, reply) => {
    reply.hijack()
    gateway.nodeHandler(request.raw, reply.raw)
  })
  done()
})
app.get("/", (_request, reply) => reply.type("text/plain").send("This is the app. The gateway is under /v1.\n"))
// Runs once nothing is in flight any more.
app.addHook("onClose", () => gateway.close())

await app.listen({ port: Number(process.env.PORT ?? 8080), host: "127.0.0.1" })
console.log(`listening on http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)

const stop = () => {
  gateway.drain()
  void app.close()
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
