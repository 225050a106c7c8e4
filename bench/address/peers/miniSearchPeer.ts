/**
 * MiniSearch with the typing errors that its documentation suggests, in words of five letters and more, and all words of the
 * text before any of them: of its settings, the one that finds most.
 */
import MiniSearch from "minisearch"
import bench from "../../package.json" with { type: "json" }
import { ownCpuTime_ns, type Peer } from "./Peer.ts"

export const miniSearchPeer = (texts: ReadonlyArray<string>): Peer => {
  const index = miniSearchOf(texts)
  const found = (text: string, combineWith: "AND" | "OR") => index.search(text, { combineWith })[0]
  return {
    name: `MiniSearch ${bench.dependencies.minisearch}, AND, then OR, fuzzy 0.2 from 5 letters`,
    first: (text) => (found(text, "AND") ?? found(text, "OR"))?.id as number | undefined,
    cpuTime_ns: ownCpuTime_ns
  }
}

export const miniSearchOf = (texts: ReadonlyArray<string>): MiniSearch<{ id: number; text: string }> => {
  const fuzzy = (word: string): number | false => (word.length >= 5 ? 0.2 : false)
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ["text"], searchOptions: { fuzzy } })
  index.addAll(texts.map((text, id) => ({ id, text })))
  return index
}
