import { currentDirectorySuite } from "@postcode/core/testing/CurrentDirectorySuite"
import { unitsSuite } from "@postcode/core/testing/UnitsSuite"
import { attributesOf, codes, layerSmallDirectory } from "./SmallDirectory.ts"

currentDirectorySuite("in memory", layerSmallDirectory, [
  [codes.whole, "active"],
  [codes.retired, "retired"],
  [codes.unknown, "unknown"]
])

unitsSuite("in memory", layerSmallDirectory, {
  known: [
    [codes.whole, attributesOf.whole],
    [codes.partly, attributesOf.partly],
    [codes.bare, attributesOf.bare],
    [codes.retired, attributesOf.retired],
    [codes.unnamedLga, attributesOf.unnamedLga]
  ],
  unknown: codes.unknown
})
