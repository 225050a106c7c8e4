import { currentDirectorySuite } from "@postcode/gateway/directory/CurrentDirectorySuite"
import { unitsSuite } from "@postcode/gateway/directory/UnitsSuite"
import { codes, layerSmallDirectory, unitsSample } from "./SmallDirectory.ts"

currentDirectorySuite("in memory", layerSmallDirectory, [
  [codes.whole, "active"],
  [codes.retired, "retired", codes.whole],
  [codes.unknown, "unknown"]
])

unitsSuite("in memory", layerSmallDirectory, unitsSample)
