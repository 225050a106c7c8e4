/** Port: the current directory. Updates are atomic, and each directory is immutable. */

import type { Environment } from "@postcode/core/Credits"
import type { DirectoryWarning } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import { Context } from "effect"

/** The environment and the organization of a request's key. */
export interface DirectoryCaller {
  readonly environment: Environment
  readonly organization_id: string
}

export class CurrentDirectory extends Context.Service<
  CurrentDirectory,
  {
    /**
     * The current directory. Call it once per request and keep the result.
     *
     * @param caller of the request; undefined without a key. Adapters without reserved codes ignore it.
     */
    readonly get: (caller?: DirectoryCaller) => Directory
    /** The directory of the sandbox's units alone; absent without a sandbox. */
    readonly sandbox?: Directory
    /**
     * Since when this directory is current, ISO 8601, UTC; undefined if it is not current, or the time is unknown.
     * Absent if the adapter never knows it.
     */
    readonly currentSince?: (directory: Directory) => string | undefined
    /**
     * What a look at the edition of this directory found, when it was read from its files. Undefined if it is not
     * current, or was not looked at, as a snapshot is not. Absent if the adapter never knows it.
     */
    readonly warnings?: (directory: Directory) => ReadonlyArray<DirectoryWarning> | undefined
  }
>()("@postcode/gateway/CurrentDirectory") {}
