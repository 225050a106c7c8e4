/** The sums of all ledger entries by day, which outlive the entries. */
import type { EntryReason, Environment } from "@postcode/core/Credits"
import { type CreditDay, sumOf } from "@postcode/gateway/credits/CreditLedger"
import type { ReportDays } from "@postcode/gateway/usage/reportDays"
import { dateOf, dayOf } from "@postcode/gateway/usage/UsageCounts"

export class CreditSums {
  private readonly days: Readonly<Record<Environment, Map<string, Record<Sum, number>>>> = {
    test: new Map(),
    live: new Map()
  }

  /** Adds an entry. */
  add(environment: Environment, { amount, reason }: Entry, at_ms: number): void {
    const date = dateOf(dayOf(at_ms))
    const day = this.days[environment].get(date) ?? { ...none }
    const sum = sumOf(reason)
    day[sum] += sum === "charged" ? -amount : amount
    this.days[environment].set(date, day)
  }

  /** Oldest first. */
  between(environment: Environment, { from, to }: ReportDays): ReadonlyArray<CreditDay> {
    return [...this.days[environment]]
      .filter(([date]) => date >= from && date <= to)
      .map(([date, sums]) => ({ date, ...sums }))
      .sort((a, b) => (a.date < b.date ? -1 : 1))
  }
}

type Sum = ReturnType<typeof sumOf>

interface Entry {
  readonly amount: number
  readonly reason: EntryReason
}

const none: Readonly<Record<Sum, number>> = { opening: 0, granted: 0, refunded: 0, adjusted: 0, charged: 0 }
