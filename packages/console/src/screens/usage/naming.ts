/** What series are called. */
import { type Grouping, others, type Series } from "./series.ts"

/** A series in words. */
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
      return statuses[name] === undefined ? name : `${name} ${statuses[name]}`
  }
}

const unknown: Readonly<Record<Grouping, string>> = {
  operation: "Unknown",
  level: "No level",
  key: "Not known: before keys were counted",
  status: "Not known: before statuses were counted"
}

const operations: Readonly<Record<string, string>> = {
  "assembly.assemble": "Assemble",
  "assembly.disassemble": "Take apart",
  "lookup.batch": "Lookup, batches",
  "lookup.single": "Lookup",
  "reference.areas": "List of areas",
  "reference.districts": "List of districts",
  "reference.lgas": "List of LGAs",
  "reference.states": "List of states",
  "search.autocomplete": "Autocomplete",
  "search.nearby": "Nearby",
  "search.reverse": "Reverse",
  "widget.bookmarks": "Widget, bookmarks",
  "widget.selected": "Widget, selections",
  "widget.session": "Widget, sessions"
}

const statuses: Readonly<Record<string, string>> = {
  200: "OK",
  201: "Created",
  400: "Bad request",
  401: "Not authenticated",
  402: "Out of credits",
  403: "Not allowed",
  404: "Not found",
  409: "Conflict",
  413: "Too large",
  422: "Not valid",
  429: "Too many requests",
  500: "Failed",
  503: "Busy"
}
