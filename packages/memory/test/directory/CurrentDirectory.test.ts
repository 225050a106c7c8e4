import { currentDirectorySuite, unitsSuite } from "@postcode/conformance"
import { codes, layerSmallDirectory, unitsSample } from "./SmallDirectory.ts"

currentDirectorySuite("in memory", layerSmallDirectory, {
  units: [
    [codes.whole, "active"],
    [codes.retired, "retired", codes.whole],
    [codes.unknown, "unknown"]
  ],
  warnings: [
    {
      kind: "unnamed_place",
      count: 3,
      first: [
        { line: 7, postcode: codes.unnamedState, detail: "XX, 1 unit" },
        { line: 6, postcode: codes.unnamedLga, detail: "LA-77, 1 unit" },
        { line: 7, postcode: codes.unnamedState, detail: "XX-01, 1 unit" }
      ]
    }
  ]
})

unitsSuite("in memory", layerSmallDirectory, unitsSample)
