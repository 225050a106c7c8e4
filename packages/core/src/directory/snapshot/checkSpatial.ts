/** Whether the spatial index of an opened snapshot is safe to search. */

import type { SpatialIndex } from "../space/SpatialIndex.ts"
import { checkSpatialIndex } from "./checkSpatialIndex.ts"
import type { SnapshotHeader } from "./Header.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"

/** @throws InvalidSnapshot */
export const checkSpatial = (spatial: SpatialIndex, { units }: Pick<SnapshotHeader, "units">): void => {
  const fault = checkSpatialIndex(spatial, units)
  if (fault !== undefined) throw new InvalidSnapshot(`section spatial.${fault}`)
}
