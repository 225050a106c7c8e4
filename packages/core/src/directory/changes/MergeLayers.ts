/** Folds the changes of a directory into one whole edition again, as if it had been built of the present units. */

import { ownArrays, sharedArrays } from "../Arrays.ts"
import type { Directory, DirectoryContents } from "../Directory.ts"
import { foldLayers } from "./foldLayers.ts"
import type { ChangedUnits } from "./Layer.ts"

/** What there is to merge, as plain data that can be sent to another thread. */
export interface MergeTask {
  /** All but what changed; `changes` counts the changes, too. */
  readonly base: DirectoryContents
  /** The layers of changes, older ones first. */
  readonly changed: ReadonlyArray<ChangedUnits>
}

/** Where the result of a merge goes. */
export interface MergeOptions {
  /** Puts the result into SharedArrayBuffers, which other threads get without copying. */
  readonly shared?: boolean
}

/**
 * The contents of a directory without layers of changes. Takes as long as building, and some 20 bytes a unit beside the
 * result; the directory itself stays what it is.
 *
 * ```ts
 * const fresh = new Directory(mergeLayers(live.current))
 * ```
 */
export const mergeLayers = (directory: Directory, options: MergeOptions = {}): DirectoryContents =>
  runMergeTask(mergeTaskOf(directory), options)

/** What there is to merge of a directory. */
export const mergeTaskOf = (directory: Directory): MergeTask => {
  const { changes, codes, date, places, version } = directory
  const { tree } = codes
  const [{ spatial }, ...layers] = directory.layers
  return { base: { version, date, changes, places, tree, spatial }, changed: layers.map(({ changed }) => changed) }
}

/** Merges, wherever it was sent. */
export const runMergeTask = ({ base, changed }: MergeTask, options: MergeOptions = {}): DirectoryContents => ({
  ...base,
  ...foldLayers(base, changed, options.shared === true ? sharedArrays() : ownArrays)
})
