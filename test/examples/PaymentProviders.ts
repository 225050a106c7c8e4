/** Two payment providers as their programs see them: signed events of payments and refunds. */
import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { examples } from "./ExamplePrograms.ts"

/** A payment as a customer made it. */
export interface Paid {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly isLive: boolean
  readonly metadata: Readonly<Record<string, unknown>>
}

/** An event as it is sent. */
export interface Sent {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Provider extends AsyncDisposable {
  readonly name: "paystack" | "stripe"
  readonly env: Readonly<Record<string, string>>
  readonly payment: (paid: Paid) => string
  /** @param before what was refunded before, and `after` with this refund */
  readonly refund: (paid: Paid, before: number, after: number) => string
  readonly sign: (body: string, options?: { readonly secret?: string; readonly age_s?: number }) => Sent
  /** The references of the grant and of a correction. */
  readonly correction: (paid: Paid, before: number, after: number) => string
}

/** What is used of Stripe's library, which only the example has. */
interface StripeLibrary {
  readonly webhooks: {
    readonly generateTestHeaderString: (options: { payload: string; secret: string; timestamp: number }) => string
  }
}

const load = createRequire(join(examples, "top-up", "stripe.ts"))

export const stripe = async (): Promise<Provider> => {
  const { webhooks } = load("stripe") as StripeLibrary
  const ownSecret = "whsec_of_a_test"
  const event = (type: string, livemode: boolean, data: object) =>
    JSON.stringify({ id: `evt_${Math.random()}`, object: "event", type, livemode, created: 1, data }, null, 2)
  return {
    name: "stripe",
    env: { STRIPE_WEBHOOK_SECRET: ownSecret },
    payment: ({ amount, currency, id, isLive, metadata }) => {
      const object = { id, object: "payment_intent", amount, amount_received: amount, currency, metadata }
      return event("payment_intent.succeeded", isLive, { object })
    },
    refund: ({ amount, currency, id, isLive, metadata }, before, after) => {
      const charge = { id: `ch_${id}`, object: "charge", amount, currency, metadata, payment_intent: id }
      const previous_attributes = { amount_refunded: before }
      return event("charge.refunded", isLive, { object: { ...charge, amount_refunded: after }, previous_attributes })
    },
    sign: (body, { age_s = 0, secret = ownSecret } = {}) => {
      const timestamp = Math.floor(Date.now() / 1000) - age_s
      const signature = webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
      return { body, headers: { "stripe-signature": signature } }
    },
    correction: ({ id }, _, after) => `${id} refunded ${after}`,
    [Symbol.asyncDispose]: async () => undefined
  }
}

export const paystack = async (): Promise<Provider> => {
  const ownSecret = "sk_live_of_a_test"
  const transactions = new Map<string, object>()
  const transactionOf = ({ amount, currency, id, isLive, metadata }: Paid) => {
    const domain = isLive ? "live" : "test"
    // Paystack sends metadata in several forms.
    const sent = amount % 3 === 0 ? JSON.stringify(metadata) : metadata
    const transaction = {
      id: 1,
      reference: id,
      status: "success",
      amount,
      currency: currency.toUpperCase(),
      domain,
      metadata: sent
    }
    transactions.set(id, transaction)
    return transaction
  }
  const api = createServer((request, response) => {
    const [, reference = ""] = /^\/transaction\/verify\/([^/]+)$/.exec(request.url ?? "") ?? []
    const data = transactions.get(decodeURIComponent(reference))
    const isAllowed = request.headers.authorization === `Bearer ${ownSecret}`
    response.writeHead(isAllowed ? (data === undefined ? 404 : 200) : 401, { "content-type": "application/json" })
    response.end(JSON.stringify({ status: true, message: "Verification successful", data }))
  })
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve))
  const refundId = ({ id }: Paid, before: number, after: number) => `${id}.${before}.${after}`
  return {
    name: "paystack",
    env: {
      PAYSTACK_SECRET_KEY: ownSecret,
      PAYSTACK_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    },
    payment: (paid) => JSON.stringify({ event: "charge.success", data: transactionOf(paid) }),
    refund: (paid, before, after) => {
      const { currency, domain, reference: transaction_reference } = transactionOf(paid)
      const refund_reference = refundId(paid, before, after)
      const data = { status: "processed", transaction_reference, refund_reference, currency, domain }
      return JSON.stringify({ event: "refund.processed", data: { ...data, amount: String(after - before) } })
    },
    sign: (body, { secret = ownSecret } = {}) => ({
      body,
      headers: { "x-paystack-signature": createHmac("sha512", secret).update(body).digest("hex") }
    }),
    correction: (...refund) => `refund ${refundId(...refund)}`,
    [Symbol.asyncDispose]: async () => {
      api.closeAllConnections()
      api.close()
    }
  }
}
