import { isAbsolute } from "node:path"
import { CommandFailure } from "../process/ExitCode.ts"

/**
 * The failure for a file that does not exist. A relative path is shown with its folder.
 *
 * @param next what to do, after a colon
 */
export const missingFile = (path: string, next = "check the path"): CommandFailure =>
  new CommandFailure(`there is no file ${path}${isAbsolute(path) ? "" : ` in ${process.cwd()}`}: ${next}`)
