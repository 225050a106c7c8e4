/** Labels of series. */
import { statusMeanings } from "../../kit/data/statusMeanings.ts"
import { type Grouping, others, type Series } from "./series.ts"

/** The label of a series. */
export const wordsFor = (
  { name }: Pick<Series, "name">,
  by: Grouping,
  keyNames: ReadonlyMap<string, string>
): string => {
  if (name === others) return "All others"
  if (name === "") return unknown[by]
  switch (by) {
    case "operation":
      return operations[name] ?? name
    case "level":
      return `Level ${name}`
    case "key":
      return keyNames.get(name) ?? name
    case "status":
      return `${name} ${statusMeanings[name] ?? ""}`.trim()
  }
}

const unknown: Readonly<Record<Grouping, string>> = {
  operation: "Unknown",
  level: "No level",
  key: "Unknown: keys were not counted then",
  status: "Unknown: statuses were not counted then"
}

const operations: Readonly<Record<string, string>> = {
  "assembly.assemble": "Assemble",
  "assembly.disassemble": "Disassemble",
  "lookup.batch": "Lookup, batches",
  "lookup.single": "Lookup",
  "reference.areas": "List of areas",
  "reference.districts": "List of districts",
  "reference.lgas": "List of LGAs",
  "reference.states": "List of states",
  "search.autocomplete": "Autocomplete",
  "search.address": "Address search",
  "search.addressBatch": "Address search, batches",
  "search.nearby": "Nearby",
  "search.reverse": "Reverse",
  "search.reverseBatch": "Reverse, batches",
  "widget.address": "Widget, address search",
  "widget.bookmarks": "Widget, bookmarks",
  "widget.lookup": "Widget, lookups",
  "widget.saveBookmark": "Widget, bookmarks saved",
  "widget.removeBookmark": "Widget, bookmarks removed",
  "widget.nearby": "Widget, units around a point",
  "widget.reverse": "Widget, unit at a point",
  "widget.selected": "Widget, selections",
  "widget.session": "Widget, sessions"
}
