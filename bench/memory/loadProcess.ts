/** The load generator as a separate process, so that its memory is not counted as the service's. */
import type { Directory } from "@postcode/core/Directory"
import { demoDirectory } from "@postcode/demo"
import { answerParent } from "../http/Child.ts"
import type { MixedRequest } from "./ClientConnection.ts"
import { type LoadResult, MixedLoad } from "./MixedLoad.ts"
import { type MixedClients, MixedTraffic } from "./MixedTraffic.ts"

export type LoadOrder =
  | { readonly order: "prepare"; readonly port: number; readonly units: number; readonly clients: MixedClients }
  /** Sends all requests of every secret key, at full speed. */
  | { readonly order: "touch" }
  | { readonly order: "asFastAsItGoes"; readonly time_s: number }
  | { readonly order: "bySchedule"; readonly time_s: number; readonly rate_per_s: number }

const inParallel = 64
/** Scheduled requests never wait for a connection: there are more than are ever busy. */
const scheduled = 256

let directory: Directory | undefined
let traffic: MixedTraffic
let load: MixedLoad

answerParent(async (order: LoadOrder): Promise<LoadResult | undefined> => {
  switch (order.order) {
    case "prepare": {
      directory ??= demoDirectory({ units: order.units }).directory
      traffic = new MixedTraffic(directory, order.clients)
      load = new MixedLoad(order.port)
      return undefined
    }
    case "touch": {
      const requests = traffic.everyKey()
      return load.run(() => requests.next().value as MixedRequest | undefined, { connections: inParallel })
    }
    case "asFastAsItGoes": {
      const end_ms = performance.now() + order.time_s * 1_000
      const next = () => (performance.now() < end_ms ? traffic.draw() : undefined)
      return load.run(next, { connections: inParallel })
    }
    case "bySchedule": {
      let left = Math.ceil(order.time_s * order.rate_per_s)
      const next = () => (left-- > 0 ? traffic.draw() : undefined)
      return load.run(next, { connections: scheduled, rate_per_s: order.rate_per_s })
    }
  }
})
