/** What a session may spend, besides the key's own daily limit and the balance. */
import type { Answer } from "@postcode/client"
import { Charges, type Purchase } from "../management/Charges.ts"

/** A call was not sent, because the budget may not hold its price. */
export class BudgetSpent extends Error {
  readonly code = "session_budget"
}

/**
 * The credits that one session may spend. Paid calls run one after the other, so that each knows what those before it
 * cost, and a call is sent only if the budget holds its price.
 */
export class SessionBudget {
  readonly credits: number
  private readonly charges = new Charges()
  private last: Promise<unknown> = Promise.resolve()

  constructor(credits: number) {
    this.credits = credits
  }

  get left(): number {
    return Math.max(0, this.credits - this.charges.most)
  }

  /**
   * Sends a paid call after those before it.
   *
   * @throws BudgetSpent without sending it, if the budget may not hold its price
   */
  spend<A>(purchase: Purchase, call: () => Promise<Answer<A>>): Promise<Answer<A>> {
    const next = this.last.then(() => this.spendAlone(purchase, call))
    this.last = next.catch(() => undefined)
    return next
  }

  private async spendAlone<A>(purchase: Purchase, call: () => Promise<Answer<A>>): Promise<Answer<A>> {
    const cost = this.charges.costOf(purchase)
    if (cost > this.left) throw new BudgetSpent(this.explain(cost))
    return await this.charges.call(purchase).attempt(call)
  }

  private explain(cost: number): string {
    return (
      `this call may cost ${cost}, and ${this.left} of the ${this.credits} credits of this session are left. ` +
      "It was not sent, and nothing was charged. Only the user can start a session with another --budget."
    )
  }
}
