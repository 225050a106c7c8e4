/** Payments become credits, once each, and refunds become corrections: the same for each payment provider. */
import type { IncomingMessage } from "node:http"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { createPostcodeClient, isPostcodeError } from "@postcode/client"

/** A payment of a pack of credits. Amounts are in the smallest unit of the currency, such as kobo or cents. */
export interface Payment {
  /** The payment's id at the provider: the reference of the grant. */
  readonly id: string
  readonly amount: number
  readonly currency: string
  /** Whether real money was paid. A payment in the provider's test mode buys test credits at most. */
  readonly isLive: boolean
  /** From the metadata that your page gave to the provider. */
  readonly organization_id: unknown
  readonly environment: unknown
}

/** Money that was paid back. */
export interface Refund {
  /** The refund's id: the reference of the correction. */
  readonly id: string
  readonly payment: Payment
  /** The sum of all refunds of the payment before this one, and with it. */
  readonly before: number
  readonly after: number
}

/** What an event means. */
export type Told = { readonly payment: Payment } | { readonly refund: Refund } | { readonly ignored: string }

/** The event was not sent by the provider, or is too old: answered with 400. */
export class NotFromProvider extends Error {}

/** The event cannot be handled now: answered with 503, so that the provider sends it again. */
export class TryLater extends Error {}

/** What a provider's webhook says: checks who sent the body, and tells its meaning. */
export type Read = (body: Buffer, request: IncomingMessage) => Told | Promise<Told>

const environment = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(`${name} is not set`)
  return value
}

const currency = environment("CURRENCY").toLowerCase()
/** Credits by price, in the smallest unit: `250000=1000,1000000=5000`. */
const packs = new Map<number, number>(
  environment("PACKS")
    .split(",")
    .map((pack) => {
      const [, price, credits] = /^([1-9]\d{0,11})=([1-9]\d{0,8})$/.exec(pack.trim()) ?? []
      if (price === undefined) throw new Error("PACKS: expected prices and credits, such as 250000=1000,1000000=5000")
      return [Number(price), Number(credits)]
    })
)
const client = createPostcodeClient({
  baseUrl: environment("POSTCODE_URL"),
  token: environment("POSTCODE_OPERATOR_TOKEN"),
  // The provider waits for an answer only for some seconds, and then tries again itself.
  timeout_ms: 5_000,
  retries: 1
})

/** The credits that a payment buys, and where they belong; a text says why it buys none. */
const boughtBy = (payment: Payment) => {
  const { amount, environment, isLive, organization_id } = payment
  const credits = packs.get(amount)
  if (payment.currency.toLowerCase() !== currency) return `the currency is ${payment.currency}, expected ${currency}`
  if (credits === undefined) return `no pack costs ${amount}`
  if (typeof organization_id !== "string" || !/^org_\w{1,60}$/.test(organization_id)) return "no organization is named"
  if (environment !== "live" && environment !== "test") return "the environment is neither live nor test"
  if (environment === "live" && !isLive) return "a payment in test mode buys no live credits"
  return { credits, environment, organization_id } as const
}

/** Adds credits. The service counts a reference once, however often and late the payment is told. */
const grant = async (payment: Payment): Promise<string> => {
  const bought = boughtBy(payment)
  if (typeof bought === "string") return attention(payment.id, bought)
  const { credits: amount, environment, organization_id: id } = bought
  return await once(payment.id, () =>
    client.request("POST /v1/admin/organizations/:id/credits", {
      params: { id },
      body: { amount, environment, reference: payment.id }
    })
  )
}

/** Takes the credits of a refund away, in proportion, if its payment was granted. */
const takeBack = async ({ after, before, id: reference, payment }: Refund): Promise<string> => {
  const bought = boughtBy(payment)
  if (typeof bought === "string") return `the payment bought no credits: ${bought}`
  const { credits, environment, organization_id: id } = bought
  const share = (refunded: number) => Math.floor((credits * refunded) / payment.amount)
  const amount = share(before) - share(after)
  if (amount >= 0) return "the refund is less than a credit"
  return await once(payment.id, async () => {
    const query = { environment, reference: payment.id, limit: 1 }
    const { data } = await client.request("GET /v1/admin/organizations/:id/credits", { params: { id }, query })
    if (data.entries.length === 0) throw new TryLater("the payment of this refund is not granted yet")
    const reason = `The payment ${payment.id} was refunded`
    const body = { amount, environment, kind: "refund", reason, reference } as const
    await client.request("POST /v1/admin/organizations/:id/credits/corrections", { params: { id }, body })
  })
}

/** Does the work, and tells failures that end by themselves from those that somebody has to look at. */
const once = async (id: string, work: () => Promise<unknown>): Promise<string> => {
  try {
    await work()
    return "done"
  } catch (error) {
    if (!isPostcodeError(error)) throw error
    // Not found, or in conflict: the organization is unknown or closed, or has spent the credits.
    if (error.code === "not_found" || error.code === "conflict") return attention(id, error.message)
    throw new TryLater(`the service did not take it: ${error.code}`)
  }
}

/** Sending the event again would not help, so it is accepted, and a person decides. */
const attention = (id: string, reason: string): string => {
  console.error(`needs attention: ${JSON.stringify(id)}: ${reason}`)
  return reason
}

/** Serves the webhook at `POST /webhook`. */
export const serveWebhook = (read: Read): void => {
  const answer = async (request: IncomingMessage): Promise<readonly [number, string]> => {
    if (request.url !== "/webhook") return [404, "the webhook is at /webhook"]
    if (request.method !== "POST") return [405, "expected POST"]
    const body = await bodyOf(request)
    if (body === undefined) return [413, "the body is too long"]
    const told = await read(body, request)
    if ("payment" in told) return [200, await grant(told.payment)]
    if ("refund" in told) return [200, await takeBack(told.refund)]
    return [200, told.ignored]
  }
  const listener: RequestListener = (request, response) => {
    void answer(request)
      .catch((error): readonly [number, string] => {
        if (error instanceof NotFromProvider) return [400, error.message]
        console.error(`the provider will try again: ${(error as Error).message}`)
        return [503, "try again later"]
      })
      .then(([status, text]) => response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`))
  }
  const server = createServer(listener)
  server.listen(Number(process.env.PORT ?? 4242), "127.0.0.1", () => {
    console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  const stop = () => {
    server.close()
    server.closeIdleConnections()
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
}

const bodyLimit_bytes = 1_000_000

/** The body as it was sent: the signature is of these bytes. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > bodyLimit_bytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
