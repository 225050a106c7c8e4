/** The service as a function from `Request` to `Response`, for Hono, Next and similar frameworks. */
import { Context, Effect } from "effect"
import type { Gateway } from "../pipeline/Gateway.ts"
import { BodyBroken, BodyTooLarge, bodyAlreadyRead, type HttpRequest } from "./HttpMessage.ts"

/** Data that a `Request` does not contain. Other properties, which frameworks pass, are ignored. */
export interface WebHandlerOptions {
  /** The peer's IP address; without it all clients without a key share one limit. */
  readonly peer_address?: string
}

export type WebHandler = (request: Request, options?: WebHandlerOptions) => Promise<Response>

export const toWebHandler = (gateway: Gateway, context: Context.Context<never> = Context.empty()): WebHandler => {
  const run = Effect.runPromiseWith(context)
  return async (request, options) => {
    const peer_address = typeof options?.peer_address === "string" ? options.peer_address : "unknown"
    const { body, headers, status } = await run(gateway.answer(fromWeb(request, peer_address)), {
      signal: request.signal
    })
    // The DOM types reject bytes that may be shared memory. Answers never are.
    return new Response((body as string | Uint8Array<ArrayBuffer> | undefined) ?? null, { status, headers })
  }
}

const fromWeb = (request: Request, peer_address: string): HttpRequest => ({
  method: request.method,
  target: targetOf(request.url),
  header: (name) => request.headers.get(name) ?? undefined,
  peer_address,
  body: (maximum_bytes) =>
    request.bodyUsed
      ? Effect.die(bodyAlreadyRead)
      : Effect.tryPromise({
          try: () => readBody(request, maximum_bytes),
          catch: (error) => (error instanceof BodyTooLarge ? error : new BodyBroken())
        })
})

/** Path and query of an absolute URL, without the fragment. */
const targetOf = (url: string): string => {
  const fragment = url.indexOf("#")
  return url.slice(url.indexOf("/", url.indexOf("//") + 2), fragment === -1 ? undefined : fragment)
}

const readBody = async (request: Request, maximum_bytes: number): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > maximum_bytes) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
