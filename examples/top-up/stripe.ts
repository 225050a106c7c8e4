/** What Stripe's webhook says of payments and refunds. */
import Stripe from "stripe"
import { NotFromProvider, type Payment, type Read, type Told, TryLater } from "./topUp.ts"

const secret = process.env.STRIPE_WEBHOOK_SECRET ?? ""
if (!secret.startsWith("whsec_")) throw new Error("STRIPE_WEBHOOK_SECRET: expected whsec_…, the secret of the endpoint")

/** Stripe's library checks the signature, and refuses one that is older than five minutes. */
const verified = (body: Buffer, signature: string | Array<string> | undefined): Stripe.Event => {
  try {
    return Stripe.webhooks.constructEvent(body, String(signature ?? ""), secret)
  } catch (error) {
    throw new NotFromProvider((error as Error).message.split("\n")[0])
  }
}

/** Stripe copies the metadata of a payment intent to its charge, so that the refund of a charge has them, too. */
const meaningOf = (event: Stripe.Event): Told => {
  const { livemode: isLive } = event
  if (event.type === "payment_intent.succeeded") {
    const { amount_received: amount, currency, id, metadata } = event.data.object
    return { payment: paymentOf({ id, amount, currency, isLive }, metadata) }
  }
  if (event.type === "charge.refunded") {
    const { amount, amount_refunded: after, currency, metadata, payment_intent } = event.data.object
    const id = typeof payment_intent === "string" ? payment_intent : payment_intent?.id
    if (id === undefined) return { ignored: "a charge without a payment intent" }
    const before = event.data.previous_attributes?.amount_refunded
    if (before === undefined) throw new TryLater(`the event does not say what was refunded of ${id} before`)
    const payment = paymentOf({ id, amount, currency, isLive }, metadata)
    return { refund: { id: `${id} refunded ${after}`, payment, before, after } }
  }
  return { ignored: `events of the type ${event.type} are ignored` }
}

const paymentOf = (
  payment: Omit<Payment, "environment" | "organization_id">,
  { environment, organization_id }: Stripe.Metadata
): Payment => ({ ...payment, environment, organization_id })

export const read: Read = (body, { headers }) => meaningOf(verified(body, headers["stripe-signature"]))
