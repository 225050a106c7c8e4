/** FlexSearch: words that sound alike are equal, and texts need not have all of their words in one address. */
import { Charset, Index } from "flexsearch"
import bench from "../../package.json" with { type: "json" }
import { ownCpuTime_ns, type Peer } from "./Peer.ts"

export const flexSearchPeer = (texts: ReadonlyArray<string>): Peer => {
  const index = new Index({ encoder: Charset.LatinBalance })
  for (const [id, text] of texts.entries()) index.add(id, text)
  return {
    name: `FlexSearch ${bench.dependencies.flexsearch}, LatinBalance, suggest`,
    first: (text) => index.search(text, { limit: 1, suggest: true })[0] as number | undefined,
    cpuTime_ns: ownCpuTime_ns
  }
}
