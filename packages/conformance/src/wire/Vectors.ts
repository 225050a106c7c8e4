/** The golden vectors of the repository that are visible over HTTP. */
import { CsvReader, DirectoryReader } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import { vectorText } from "./vectorText.ts"

/** A text and its completions. `limit` is as in the query. */
export interface CompletionVector {
  readonly q: string
  readonly limit: string
  readonly segment: string
  readonly suggestions: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** The attributes that each level shows, by level. */
export const shownAttributes = (): ReadonlyMap<number, ReadonlyArray<string>> => {
  const shown = new Map<number, Array<string>>()
  for (const [level = "", attribute = "", is] of rowsOf("levels.csv")) {
    const attributes = shown.get(Number(level)) ?? []
    shown.set(Number(level), is === "true" ? [...attributes, attribute] : attributes)
  }
  return shown
}

/** The content of `vectors/autocomplete.csv`. */
export const completionVectors = (): ReadonlyArray<CompletionVector> =>
  rowsOf("autocomplete.csv").map(([q = "", limit = "", segment = "", codes = "", ...columns]) => {
    const [labels, prefixes, within, units, centres] = columns.map((column) => column.split("|"))
    const suggestions = (codes === "" ? [] : codes.split("|")).map((code, i) => ({
      code,
      label: labels?.[i],
      prefix: prefixes?.[i],
      ...(within?.[i] && { within: within[i] }),
      ...(units?.[i] && { units: Number(units[i]) }),
      ...(centres?.[i] && { centre: pointOf(centres[i]) })
    }))
    return { q: unescaped(q), limit, segment, suggestions }
  })

/** `8.5 4.5` as a point. */
const pointOf = (text: string) => {
  const [lat, lng] = text.split(" ").map(Number)
  return { lat, lng }
}

/** A typed postcode and the unit that was probably meant, if there is one. */
export interface CorrectionVector {
  readonly input: string
  readonly did_you_mean: string | undefined
}

/** The content of `vectors/corrections.csv`. */
export const correctionVectors = (): ReadonlyArray<CorrectionVector> =>
  rowsOf("corrections.csv").map(([input = "", did_you_mean = ""]) => ({
    input: unescaped(input),
    did_you_mean: did_you_mean === "" ? undefined : did_you_mean
  }))

/** The content of `vectors/changes.csv`: the kinds of changes that the feed shows with the unit's coordinate. */
export const changesWithPoint = (): ReadonlySet<string> =>
  new Set(rowsOf("changes.csv").flatMap(([change = "", point]) => (point === "true" ? [change] : [])))

/** The directory of the completion vectors, or of the correction vectors. */
export const vectorDirectory = (folder: "autocomplete-directory" | "corrections-directory"): Directory => {
  const reader = new DirectoryReader()
  reader.writePlaces(vectorText(`${folder}/places.csv`))
  reader.writeUnits(vectorText(`${folder}/units.csv`))
  const read = reader.finish()
  if (!read.ok) throw new Error("the directory of the vectors is malformed")
  return read.directory
}

const rowsOf = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<ReadonlyArray<string>> = []
  const reader = new CsvReader({
    onRow: ({ fields }) => rows.push(fields),
    onMalformed: ({ line }, reason) => {
      throw new Error(`${name}, line ${line}: ${reason}`)
    }
  })
  reader.write(vectorText(name))
  reader.end()
  return rows.slice(1)
}

const unescaped = (text: string): string =>
  text.replace(/\\u([0-9A-F]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
