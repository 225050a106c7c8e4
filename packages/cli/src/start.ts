import { ignoreClosedPipe } from "@postcode/server/process/Output"
import { runMain } from "@postcode/server/process/RunMain"
import { runPostcode } from "./PostcodeCommand.ts"

/** Runs the command as this process. */
export const start = (args: ReadonlyArray<string>): void => {
  ignoreClosedPipe()
  runMain(runPostcode(args))
}
