import { currentDirectorySuite } from "@postcode/core/directory/CurrentDirectorySuite"
import { unitsSuite } from "@postcode/core/directory/UnitsSuite"
import { codes, layerSmallDirectory, unitsSample } from "./SmallDirectory.ts"

currentDirectorySuite("in memory", layerSmallDirectory, [
  [codes.whole, "active"],
  [codes.retired, "retired", codes.whole],
  [codes.unknown, "unknown"]
])

unitsSuite("in memory", layerSmallDirectory, unitsSample)
