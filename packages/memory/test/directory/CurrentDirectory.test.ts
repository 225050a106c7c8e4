import { currentDirectorySuite, unitsSuite } from "@postcode/conformance"
import { codes, layerSmallDirectory, unitsSample } from "./SmallDirectory.ts"

currentDirectorySuite("in memory", layerSmallDirectory, [
  [codes.whole, "active"],
  [codes.retired, "retired", codes.whole],
  [codes.unknown, "unknown"]
])

unitsSuite("in memory", layerSmallDirectory, unitsSample)
