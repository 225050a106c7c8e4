/** A setting of the service that is missing or wrong. */
import { helpHint } from "../CommandName.ts"
import { CommandFailure, exitCodes } from "../ExitCode.ts"

/** Its message ends in the hint to the help. */
export const wrongUsage = (message: string): CommandFailure =>
  new CommandFailure(`${message}\n${helpHint("serve")}`, exitCodes.wrongUsage)
