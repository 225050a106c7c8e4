import { runPostcode } from "./PostcodeCommand.ts"
import { runMain } from "./RunMain.ts"
import { ignoreClosedPipe } from "./terminal/Output.ts"

/** Runs the command as this process. */
export const start = (args: ReadonlyArray<string>): void => {
  ignoreClosedPipe()
  runMain(runPostcode(args))
}
