/** Which account of credits something is about. */
import type { Environment } from "../../state/environment.ts"

export interface AccountProps {
  readonly organization: string
  readonly environment: Environment
}

export interface AccountDialogProps extends AccountProps {
  readonly onClose: () => void
  /** Called once it is done. */
  readonly onDone: () => void
}
