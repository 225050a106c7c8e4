/** Port: the current directory. Updates are atomic, and each directory is immutable. */
import { Context } from "effect"
import type { Environment } from "../credits/Credits.ts"
import type { Directory } from "./Directory.ts"

export class CurrentDirectory extends Context.Service<
  CurrentDirectory,
  {
    /**
     * The current directory. Call it once per request and keep the result.
     *
     * @param environment of the request's key; undefined without a key. Adapters without reserved codes ignore it.
     */
    readonly get: (environment?: Environment) => Directory
    /**
     * Since when this directory is current, ISO 8601, UTC; undefined if it is not current, or the time is unknown.
     * Absent if the adapter never knows it.
     */
    readonly currentSince?: (directory: Directory) => string | undefined
  }
>()("@postcode/core/CurrentDirectory") {}
