/** The sums of all ledger entries by day, which outlive the entries. */
import type { EntryReason, Environment } from "@postcode/core/Credits"
import { type CreditDay, sumOf } from "@postcode/gateway/credits/CreditLedger"
import type { ReportDays } from "@postcode/gateway/usage/reportDays"
import { dateOf, dayOf } from "@postcode/gateway/usage/UsageCounts"

export class CreditSums {
  /** By the number of the day, because a date costs more than all the rest. */
  private readonly days: Readonly<Record<Environment, Map<number, Record<Sum, number>>>> = {
    test: new Map(),
    live: new Map()
  }

  /** Adds an entry. */
  add(environment: Environment, { amount, reason }: Entry, at_ms: number): void {
    const days = this.days[environment]
    const day = dayOf(at_ms)
    let sums = days.get(day)
    if (sums === undefined) {
      sums = { ...none }
      days.set(day, sums)
    }
    const sum = sumOf(reason)
    sums[sum] += sum === "charged" ? -amount : amount
  }

  /** Oldest first. */
  between(environment: Environment, { from, to }: ReportDays): ReadonlyArray<CreditDay> {
    return [...this.days[environment]]
      .map(([day, sums]) => ({ date: dateOf(day), ...sums }))
      .filter(({ date }) => date >= from && date <= to)
      .sort((a, b) => (a.date < b.date ? -1 : 1))
  }
}

type Sum = ReturnType<typeof sumOf>

interface Entry {
  readonly amount: number
  readonly reason: EntryReason
}

const none: Readonly<Record<Sum, number>> = { opening: 0, granted: 0, refunded: 0, adjusted: 0, charged: 0 }
