/** Merging the layers of changes of a directory into its edition, as a task for another thread. */

import { sharedArrays } from "../Arrays.ts"
import type { Directory, DirectoryContents } from "../Directory.ts"
import { foldLayers } from "./foldLayers.ts"
import type { UnitStates } from "./UnitStates.ts"

/** The input of a merge, as plain data that can be sent to another thread. */
export interface MergeTask {
  /** The edition without its changes, except that `changes` counts them. */
  readonly base: DirectoryContents
  /** The layers of changes. */
  readonly changed: ReadonlyArray<UnitStates>
}

/** The input of a merge of a directory. */
export const mergeTaskOf = (directory: Directory): MergeTask => {
  const { addresses, changes, codes, date, locationSums, places, successors, version } = directory
  const { tree } = codes
  const [{ spatial }, ...layers] = directory.layers
  const base = { version, date, changes, places, tree, locationSums, spatial, successors, addresses }
  return { base, changed: layers.map((layer) => layer.states()) }
}

/**
 * The contents of the directory without layers, in shared memory, which other threads get without copying. Takes as
 * long as a new build, and some 20 bytes per unit beside the result.
 */
export const runMergeTask = ({ base, changed }: MergeTask): DirectoryContents => ({
  ...base,
  ...foldLayers(base, changed, sharedArrays())
})

/**
 * Merged contents that came from another thread, with the places and texts of the directory that was merged, which are
 * equal. So what was derived from these objects stays in use.
 */
export const withTextsOf = (merged: DirectoryContents, { addresses, places }: Directory): DirectoryContents => ({
  ...merged,
  places,
  addresses: addresses && { ...addresses, units: merged.addresses?.units ?? addresses.units }
})
