import { accessSync, constants } from "node:fs"

/** Whether a path is an executable file. */
export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
