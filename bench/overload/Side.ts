/** One of two services that differ only in load control, and its customers' requests. */
import type { Directory } from "@postcode/core/Directory"
import { openCustomers } from "../http/customers.ts"
import type { ServiceProcess } from "../http/ServiceProcess.ts"
import { bytesOf, endpoints } from "../http/Traffic.ts"
import type { SideName } from "./Series.ts"

export interface Side {
  readonly name: SideName
  readonly service: ServiceProcess
  /** Its client must not busy-wait: the database needs the CPU, too. */
  readonly isOnDatabase: boolean
  /** Searches, and lookups at level 1. */
  readonly free: ReadonlyArray<Uint8Array>
  /** Lookups at level 2. */
  readonly paid: ReadonlyArray<Uint8Array>
}

/** Creates accounts in a service, and generates their requests. */
export const makeSide = async (
  name: SideName,
  service: ServiceProcess,
  isOnDatabase: boolean,
  directory: Directory,
  customers: number
): Promise<Side> => {
  const known = endpoints(directory, await openCustomers(service.operator, customers))
  const draw = (names: ReadonlyArray<string>) => {
    const drawn = known.filter((endpoint) => names.includes(endpoint.name))
    return Array.from({ length: drawnRequests }, (_, i) => bytesOf((drawn[i % drawn.length] as Drawn).draw()))
  }
  return { name, service, isOnDatabase, free: draw(freeEndpoints), paid: draw(["lookup, level 2"]) }
}

type Drawn = ReturnType<typeof endpoints>[number]

const freeEndpoints = ["lookup, level 1", "autocomplete", "reverse"]
const drawnRequests = 9_000
