/** Which of an organization's two accounts of credits something is about. */
import type { Environment } from "../../state/environment.ts"

/** One of the two. */
export interface CreditAccount {
  /** The organization's id. */
  readonly organization: string
  readonly environment: Environment
}

/** A dialog that does something with it. */
export interface CreditAccountDialogProps extends CreditAccount {
  readonly onClose: () => void
  /** Called once it is done. */
  readonly onDone: () => void
}
