/** Faults of the primary. */
import type { Cluster } from "./Cluster.ts"
import { everyAddress } from "./Machine.ts"
import type { Node } from "./Node.ts"

/** Happens to the primary, and answers what restores the node once another one is the primary. */
type Fault = (primary: Node, cluster: Cluster) => Promise<() => Promise<void>>

const nothing = async (): Promise<void> => {}

export const faults: Readonly<Record<string, Fault>> = {
  "kill -9 of PostgreSQL and Patroni": async (primary) => {
    primary.killPatroni()
    await primary.killPostgres()
    return () => primary.startPatroni()
  },
  "kill -9 of PostgreSQL alone": async (primary) => {
    await primary.killPostgres()
    return nothing
  },
  "cut off from the other nodes": ({ machine }, { nodes }) =>
    machine.cutOff(nodes.map((node) => node.machine.address).filter((address) => address !== machine.address)),
  "cut off from everything": ({ machine }) => machine.cutOff([everyAddress]),
  "promotion by hand": async (primary, cluster) => {
    await cluster.switchOver(primary)
    return nothing
  }
}
