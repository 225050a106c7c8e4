/** Port: the directory in force. It changes in one step; whoever holds one keeps a whole one. */
import { Context } from "effect"
import type { Directory } from "./Directory.ts"

export class CurrentDirectory extends Context.Service<
  CurrentDirectory,
  {
    /** The directory as it is now. Call it once a request and keep the answer. */
    readonly get: () => Directory
    /**
     * Since when this directory is in force, ISO 8601, UTC; undefined if it is not, or if that is not known. Absent where
     * that never is.
     */
    readonly currentSince?: (directory: Directory) => string | undefined
  }
>()("@postcode/core/CurrentDirectory") {}
