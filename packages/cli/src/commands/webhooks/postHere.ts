/** Posts messages as the service does, to any address that this computer reaches. */
import { lookup } from "node:dns/promises"
import { connect } from "node:net"
import { WebhooksMayBePrivate } from "@postcode/gateway/webhooks/Webhook"
import { WebhookTransport } from "@postcode/gateway/webhooks/WebhookTransport"
import { layerWebhookTransport } from "@postcode/node/webhooks"
import { Effect, Layer } from "effect"

/** @param url every message goes there */
export const postHere = (url: string): Effect.Effect<WebhookTransport["Service"]> =>
  Effect.provide(
    WebhookTransport,
    layerWebhookTransport({ resolve: (name) => openAddresses(name, url) }).pipe(
      Layer.provide(Layer.succeed(WebhooksMayBePrivate, true))
    )
  )

/**
 * The addresses of a name, one that accepts connections first. `localhost` has two, and many servers under development
 * listen on one of them.
 */
const openAddresses = async (name: string, url: string): Promise<ReadonlyArray<string>> => {
  const addresses = (await lookup(name, { all: true })).map(({ address }) => address)
  if (addresses.length < 2) return addresses
  const { port, protocol } = new URL(url)
  const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)
  const first = await Promise.any(addresses.map((address) => whenOpen(address, number))).catch(() => undefined)
  return first === undefined ? addresses : [first]
}

const whenOpen = (host: string, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: 1_000 }, () => {
      socket.destroy()
      resolve(host)
    })
    socket.on("timeout", () => socket.destroy(new Error("no connection in time")))
    socket.on("error", reject)
  })
