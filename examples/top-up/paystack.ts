/** What Paystack's webhook says of payments and refunds. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { NotFromProvider, type Payment, type Read, type Told, TryLater } from "./topUp.ts"

const secret = process.env.PAYSTACK_SECRET_KEY ?? ""
if (!secret.startsWith("sk_")) throw new Error("PAYSTACK_SECRET_KEY: expected sk_live_… or sk_test_…")
const api = process.env.PAYSTACK_API_URL ?? "https://api.paystack.co"

/** Paystack signs the body with the secret key: HMAC-SHA512, in hexadecimal. */
const assertSigned = (body: Buffer, signature: unknown): void => {
  const expected = createHmac("sha512", secret).update(body).digest()
  const given = Buffer.from(/^[\da-f]{128}$/i.test(String(signature)) ? String(signature) : "", "hex")
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new NotFromProvider("x-paystack-signature is missing or wrong")
  }
}

interface Transaction {
  readonly reference: string
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly domain: string
  readonly metadata: unknown
}

interface Event {
  readonly event: string
  readonly data: Transaction & {
    readonly transaction_reference?: string
    readonly refund_reference?: string | null
  }
}

const meaningOf = async ({ data, event }: Event): Promise<Told> => {
  if (event === "charge.success") return { payment: paymentOf(data) }
  if (event === "refund.processed") {
    const { refund_reference: id, transaction_reference: reference } = data
    if (!id || !reference) throw new TryLater("the refund has no reference: correct the balance by hand")
    // A refund has no metadata: the transaction has them.
    const payment = paymentOf(await transaction(reference))
    return { refund: { id: `refund ${id}`, payment, before: 0, after: Number(data.amount) } }
  }
  return { ignored: `events of the type ${event} are ignored` }
}

/** Paystack sends metadata as an object, as JSON in a text, or as an empty text. */
const paymentOf = ({ amount, currency, domain, metadata, reference: id }: Transaction): Payment => {
  const given = typeof metadata === "string" && metadata !== "" ? JSON.parse(metadata) : metadata
  const { environment, organization_id } = (given || {}) as Record<string, unknown>
  return { id, amount: Number(amount), currency, isLive: domain === "live", environment, organization_id }
}

/** The transaction as Paystack has it. */
const transaction = async (reference: string): Promise<Transaction> => {
  const response = await fetch(`${api}/transaction/verify/${encodeURIComponent(reference)}`, {
    headers: { authorization: `Bearer ${secret}` },
    signal: AbortSignal.timeout(10_000)
  })
  if (!response.ok) throw new TryLater(`Paystack answered ${response.status}`)
  return ((await response.json()) as { readonly data: Transaction }).data
}

export const read: Read = (body, { headers }) => {
  assertSigned(body, headers["x-paystack-signature"])
  return meaningOf(JSON.parse(String(body)) as Event)
}
