/** What a session may spend, besides the key's own daily limit and the balance. */
import { type Answer, isPostcodeError } from "@postcode/client"

/** A call was not sent, because the budget may not hold its price. */
export class BudgetSpent extends Error {
  readonly code = "session_budget"
}

/**
 * The credits that one session may spend. Paid calls run one after the other, so that each knows what those before it
 * cost, and a call is sent only if the budget holds its expected price.
 */
export class SessionBudget {
  readonly credits: number
  private spent = 0
  /** The highest charge of each kind of call: a service may have other prices than the usual ones. */
  private readonly highest = new Map<string, number>()
  private last: Promise<unknown> = Promise.resolve()

  constructor(credits: number) {
    this.credits = credits
  }

  get left(): number {
    return Math.max(0, this.credits - this.spent)
  }

  /**
   * Sends a paid call after those before it.
   *
   * @param kind calls of one kind cost the same
   * @param usual the price that a service has by default
   * @throws BudgetSpent without sending it, if the budget may not hold its price
   */
  spend<A>(kind: string, usual: number, call: () => Promise<Answer<A>>): Promise<Answer<A>> {
    const next = this.last.then(() => this.spendAlone(kind, usual, call))
    this.last = next.catch(() => undefined)
    return next
  }

  private async spendAlone<A>(kind: string, usual: number, call: () => Promise<Answer<A>>): Promise<Answer<A>> {
    const price = Math.max(usual, this.highest.get(kind) ?? 0)
    if (price > this.left) throw new BudgetSpent(this.explain(price))
    try {
      const answer = await call()
      const charged = answer.meta.credits?.charged ?? 0
      this.spent += charged
      this.highest.set(kind, Math.max(price, charged))
      return answer
    } catch (error) {
      if (!isRefusal(error)) this.spent += price
      throw error
    }
  }

  private explain(price: number): string {
    return (
      `this call may cost ${price}, and ${this.left} of the ${this.credits} credits of this session are left. ` +
      "It was not sent, and nothing was charged. Only the user can start a session with another --budget."
    )
  }
}

/** Whether the service refused the call. After any other failure the call may have been charged. */
const isRefusal = (error: unknown): boolean => isPostcodeError(error) && error.status >= 400 && error.status < 500
