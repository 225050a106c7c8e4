/** What files say of units, as a worker asks the main thread for it. */
import { MessageChannel } from "node:worker_threads"
import { type UnitsSample, unitsSuite } from "@postcode/conformance"
import type { Postcode } from "@postcode/core/Postcode"
import { afterAll } from "vitest"
import { layerFileUnits } from "../../src/workers/fileUnits.ts"
import type { MainMessage, WorkerMessage } from "../../src/workers/WorkerMessages.ts"

const sample: UnitsSample = {
  known: [
    [
      "LA-12-A03-BG-07" as Postcode,
      {
        locality_name: "Ọjọ́dù",
        recent_address: "4 Ògúnnúsì Road, “Flat 2”",
        building_use_status: "residential",
        building_type: "duplex",
        building_owner: "private",
        delivery_point: true
      }
    ],
    ["LA-12-A03-BG-08" as Postcode, { building_type: "duplex", delivery_point: false }],
    ["LA-12-A03-BG-09" as Postcode, {}]
  ],
  unknown: "LA-12-A03-BG-99" as Postcode
}

const { port1: main, port2: worker } = new MessageChannel()
const known = new Map(sample.known)
main.on("message", (message: WorkerMessage) => {
  if (message._tag !== "UnitsWanted") return
  const attributes = message.postcodes.map((postcode) => known.get(postcode) ?? {})
  main.postMessage({ _tag: "UnitsFound", query: message.query, attributes } satisfies MainMessage)
})
afterAll(() => main.close())

unitsSuite("of files, in a worker", layerFileUnits(worker), sample)
