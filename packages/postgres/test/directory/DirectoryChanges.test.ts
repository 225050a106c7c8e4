/** Changes of the directory on PostgreSQL: the suite of core. */
import { directoryChangesSuite } from "@postcode/core/DirectoryChangesSuite"
import { layerDirectoryChanges } from "@postcode/postgres"
import { Layer } from "effect"
import { codes, databaseWith, everything, first, replicaOf } from "./Replica.ts"

const url = await databaseWith(first)
const coordinate = { lat: 6.6, lon: 3.35 }

directoryChangesSuite("on PostgreSQL", Layer.provideMerge(layerDirectoryChanges, replicaOf(url)), [
  { postcode: codes.whole, coordinate, active: true, attributes: everything },
  { postcode: codes.bare, coordinate, active: true, attributes: {} },
  {
    postcode: codes.retired,
    coordinate,
    active: false,
    replaced_by: codes.whole,
    attributes: { locality_name: "Oregun" }
  }
])
