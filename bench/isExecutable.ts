import { accessSync, constants } from "node:fs"

/** Whether there is a program at a path. */
export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
