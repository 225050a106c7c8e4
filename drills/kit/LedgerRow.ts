/** Rows of the ledger, as verdicts read them. */

export interface LedgerRow {
  readonly id: string
  readonly account: string
  readonly number: number
  readonly amount: number
  readonly reason: string
  readonly reference: string
  readonly balance_after: number
}

/** What is wrong, by the promise that it breaks; nothing else is worth a word. */
export type Wrong = Readonly<Record<string, ReadonlyArray<string>>>

/** Whether a row is no charge, although it may take credits. */
export const isCorrection = ({ reason }: Pick<LedgerRow, "reason">): boolean =>
  reason === "refund" || reason === "adjustment"
