/**
 * Runs the route handler where Next is not installed: each request goes to the function of its method, as it would there.
 * In an app on Next nothing of this is needed.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import * as route from "./app/v1/[...path]/route.ts"

/** What Next asks of a route handler of this path. */
type RouteHandler = (
  request: Request,
  context: { readonly params: Promise<{ readonly path: Array<string> }> }
) => unknown

const handlers = new Map<string, RouteHandler>(Object.entries(route))

const answer = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  const [first, ...path] = pathname.slice(1).split("/")
  if (first !== "v1") return new Response("This is the app. The gateway is under /v1.\n")
  const handle = handlers.get(request.method)
  if (handle === undefined) return new Response(null, { status: 405 })
  return (await handle(request, { params: Promise.resolve({ path }) })) as Response
}

const server = createServer(getRequestListener(answer))
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

// Next ends its process, without closing the gateway.
const stop = () => void server.close(() => process.exit())
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
