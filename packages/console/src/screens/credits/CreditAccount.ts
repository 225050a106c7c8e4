/** The credit account of an environment. */
import type { Environment } from "../../state/environment.ts"

/** One of an organization's two credit accounts. */
export interface CreditAccount {
  /** The organization's id. */
  readonly organization: string
  readonly environment: Environment
}

/** The props of a dialog about a credit account. */
export interface CreditAccountDialogProps extends CreditAccount {
  /** Called after the change. */
  readonly onDone: () => void
}
