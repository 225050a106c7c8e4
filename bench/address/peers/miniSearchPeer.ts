/** MiniSearch, with the typing errors that its documentation suggests. */
import MiniSearch from "minisearch"
import bench from "../../package.json" with { type: "json" }
import { ownCpuTime_ns, type Peer } from "./Peer.ts"

export const miniSearchPeer = (texts: ReadonlyArray<string>): Peer => {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ["text"], searchOptions: { fuzzy: 0.2 } })
  index.addAll(texts.map((text, id) => ({ id, text })))
  return {
    name: `MiniSearch ${bench.dependencies.minisearch}, fuzzy 0.2`,
    first: (text) => index.search(text)[0]?.id as number | undefined,
    cpuTime_ns: ownCpuTime_ns
  }
}
