/** A missing or invalid setting of the service. */
import { helpHint } from "./process/CommandName.ts"
import { CommandFailure, exitCodes } from "./process/ExitCode.ts"

/** The message ends with the hint to the help. */
export const wrongUsage = (message: string): CommandFailure =>
  new CommandFailure(`${message}\n${helpHint("serve")}`, exitCodes.wrongUsage)
