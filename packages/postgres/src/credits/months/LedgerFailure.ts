/** Months of the ledger cannot be closed, archived or verified, for the reason in the message. */
export class LedgerFailure {
  readonly _tag = "LedgerFailure"
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** A failure for any thrown value. */
export const ledgerFailure = (error: unknown): LedgerFailure =>
  error instanceof LedgerFailure ? error : new LedgerFailure(error instanceof Error ? error.message : String(error))
