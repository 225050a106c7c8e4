/**
 * What paid calls may have cost. The price of a call counts from before it is sent; only what is known not to be charged
 * is released, since a broken connection loses the answer but not the charge.
 */
import { type Answer, isPostcodeError } from "@postcode/client"

/** What is paid for. */
export interface Purchase {
  /** Purchases of one kind have the same price. */
  readonly kind: string
  /** Of one unit: the price that a service has by default. */
  readonly listPrice: number
  readonly units: number
  /** Kinds that never cost more. */
  readonly notBelow?: ReadonlyArray<string>
}

/** A charge, and the most that may have been charged beyond it. */
export interface Charged {
  readonly charged: number
  readonly uncertain: number
}

/** The paid calls of one run. */
export class Charges {
  /** What the service reported. */
  charged = 0
  /** The highest price that was charged for a unit of each kind: a service may have other prices than the usual ones. */
  private readonly highest = new Map<string, number>()
  /** Calls that were sent, and may have been charged without a report. */
  private readonly open = new Set<PaidCall>()

  /** The most that all calls may have cost, at the highest prices seen. */
  get most(): number {
    let sum = this.charged
    for (const { purchase } of this.open) sum += this.costOf(purchase)
    return sum
  }

  /** Of one unit. */
  priceOf({ kind, listPrice, notBelow = [] }: Purchase): number {
    return Math.max(listPrice, ...[kind, ...notBelow].map((one) => this.highest.get(one) ?? 0))
  }

  /** The most that a purchase is expected to cost. */
  costOf(purchase: Purchase): number {
    return this.priceOf(purchase) * purchase.units
  }

  /** A call that is not sent yet. */
  call(purchase: Purchase): PaidCall {
    return new PaidCall(purchase, this)
  }

  /** Counts the most that a call may cost, until it is settled. */
  reserve(call: PaidCall): void {
    this.open.add(call)
  }

  /** Counts what a call is known to have cost. */
  settle(call: PaidCall, charged: number): void {
    this.open.delete(call)
    this.charged += charged
    this.learn(call.purchase, charged)
  }

  /** Learns from a charge how much a unit costs at least. */
  learn({ kind, units }: Purchase, charged: number): void {
    if (charged > 0) this.highest.set(kind, Math.max(this.highest.get(kind) ?? 0, Math.ceil(charged / units)))
  }
}

/** A paid call with all its attempts, which have the same `Idempotency-Key`: it is charged once. */
export class PaidCall {
  readonly purchase: Purchase
  private readonly charges: Charges
  /** Whether an earlier attempt may have been charged. */
  private mayBeCharged = false

  constructor(purchase: Purchase, charges: Charges) {
    this.purchase = purchase
    this.charges = charges
  }

  /** Sends the call, for the first time or again. */
  async attempt<A>(send: () => Promise<Answer<A>>): Promise<Answer<A>> {
    this.charges.reserve(this)
    try {
      const answer = await send()
      const { attempts, credits } = answer.meta
      this.charges.learn(this.purchase, credits?.charged ?? 0)
      const { charged, uncertain } = certaintyOf(credits?.charged, {
        isRepeated: this.mayBeCharged || attempts > 1,
        most: this.charges.costOf(this.purchase)
      })
      if (uncertain === 0) this.charges.settle(this, charged)
      return answer
    } catch (error) {
      if (!isRefusal(error)) this.mayBeCharged = true
      else if (!this.mayBeCharged) this.charges.settle(this, 0)
      throw error
    }
  }
}

/**
 * What an answer says about a call. After a repeated attempt, an answer reports only what the attempt itself was charged.
 *
 * @param reported undefined if the answer has no credit headers, as with a publishable key
 */
export const certaintyOf = (
  reported: number | undefined,
  { isRepeated, most }: { readonly isRepeated: boolean; readonly most: number }
): Charged => {
  const charged = reported ?? 0
  const isCertain = reported !== undefined && !isRepeated
  return { charged, uncertain: isCertain ? 0 : Math.max(0, most - charged) }
}

/**
 * Whether the service itself refused a call at the only attempt: that charges nothing. After any other failure, and after
 * a proxy's refusal, it may have been charged.
 */
export const isRefusal = (error: unknown): boolean =>
  isPostcodeError(error) &&
  error.code !== "unexpected_answer" &&
  error.status >= 400 &&
  error.status < 500 &&
  error.meta.attempts === 1
