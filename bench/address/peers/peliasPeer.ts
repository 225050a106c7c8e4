/**
 * The parser of the geocoder Pelias, before MiniSearch in the place of Elasticsearch. As in Pelias, an address has the house
 * number and the street, and rather also what the parser knows of its places. Postal codes, parts of buildings and the
 * country are left out.
 */
import { createRequire } from "node:module"
import { join } from "node:path"
import bench from "../../package.json" with { type: "json" }
import { miniSearchOf } from "./miniSearchPeer.ts"
import { ownCpuTime_ns, type Peer } from "./Peer.ts"

/** `lodash`, which the parser needs and does not name. */
export const peliasPackages = ["pelias-parser@4.1.0", "lodash@4.17.21"] as const
const parserName = "pelias-parser"

/** What the peer uses of the parser. */
interface Tokenizer {
  readonly solution: ReadonlyArray<{
    readonly pair: ReadonlyArray<{
      readonly classification: { readonly label: string }
      readonly span: { readonly body: string; readonly start: number; readonly end: number }
    }>
  }>
}
interface Parser {
  readonly classify: (tokenizer: Tokenizer) => void
  readonly solve: (tokenizer: Tokenizer) => void
}

/** @param folder where the packages are installed */
export const peliasPeer = (texts: ReadonlyArray<string>, folder: string): Peer => {
  const require = createRequire(join(folder, "package.json"))
  const AddressParser = require(`${parserName}/parser/AddressParser`) as new () => Parser
  const Text = require(`${parserName}/tokenization/Tokenizer`) as new (text: string) => Tokenizer
  const parser = new AddressParser()
  const index = miniSearchOf(texts)
  const first = (text: string): number | undefined => {
    const read = new Text(text)
    parser.classify(read)
    parser.solve(read)
    const pairs = read.solution[0]?.pair ?? []
    const partOf = (label: string) => pairs.find(({ classification }) => classification.label === label)?.span.body
    const house = [partOf("housenumber"), partOf("street")].filter((part) => part !== undefined)
    let rest = text
    for (const { classification, span } of pairs) {
      if (ignored.has(classification.label)) rest = rest.replace(span.body, " ")
    }
    if (house.length === 2) {
      const houses = index.search({ combineWith: "AND", queries: house })
      const ids = new Set(houses.map(({ id }) => id as number))
      const placed = index.search(rest, { combineWith: "OR", filter: ({ id }) => ids.has(id as number) })
      const match = placed[0] ?? houses[0]
      if (match !== undefined) return match.id as number
    }
    const match = index.search(rest, { combineWith: "AND" })[0] ?? index.search(rest, { combineWith: "OR" })[0]
    return match?.id as number | undefined
  }
  return {
    name: `${peliasPackages[0].replace("@", " ")}, MiniSearch ${bench.dependencies.minisearch}`,
    first,
    cpuTime_ns: ownCpuTime_ns
  }
}

const ignored: ReadonlySet<string> = new Set(["postcode", "country", "unit", "unit_type", "level", "level_type"])
