/** Finds the columns of a table in the header of a file, whatever their case, blanks and punctuation. */

/** The columns that are looked for. */
export interface TableColumns {
  /** In the order in which their fields are passed on. */
  readonly names: ReadonlyArray<string>
  /** Those that a file must have. */
  readonly required: ReadonlyArray<string>
  /** Other names of columns in their order of preference, by name. */
  readonly synonyms: Readonly<Record<string, ReadonlyArray<string>>>
}

/** The header's name of a column, or its number from 1, by the name of the column. */
export type ColumnMapping = Readonly<Record<string, string>>

/** The index of each column in the file, −1 if it has none; or the fault of the header. */
export type FoundPositions =
  | { readonly ok: true; readonly positions: ReadonlyArray<number> }
  | { readonly ok: false; readonly fault: string }

/** A name without case, blanks and punctuation: `Post Code` and `post_code` are equal. */
export const foldName = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

export const findColumns = (
  header: ReadonlyArray<string>,
  { names, required, synonyms }: TableColumns,
  mapping: ColumnMapping = {}
): FoundPositions => {
  const folded = header.map(foldName)
  const faults: Array<string> = []
  const named = names.map((name) => {
    const wanted = mapping[name]
    if (wanted === undefined) return onlyIndex(folded, foldName(name), name, faults)
    const at = mappedIndex(header, folded, wanted)
    if (at < 0) faults.push(`no column ${wanted}, which ${name} is to be read from`)
    return at
  })
  const taken = new Set(named)
  const positions = named.map((position, column) => {
    if (position >= 0) return position
    const name = names[column] as string
    const synonym = (synonyms[name] ?? []).find((other) => folded.some((one, at) => one === other && !taken.has(at)))
    if (synonym === undefined) return -1
    const at = onlyIndex(folded, synonym, name, faults)
    taken.add(at)
    return at
  })
  const missing = names.filter(
    (name, column) => positions[column] === -1 && mapping[name] === undefined && required.includes(name)
  )
  if (missing.length > 0) faults.unshift(`no column ${missing.join(", ")}`)
  return faults.length === 0 ? { ok: true, positions } : { ok: false, fault: faults.join("; ") }
}

const onlyIndex = (folded: ReadonlyArray<string>, wanted: string, name: string, faults: Array<string>): number => {
  const at = folded.indexOf(wanted)
  if (at !== folded.lastIndexOf(wanted)) faults.push(`more than one column ${name}`)
  return at
}

const mappedIndex = (header: ReadonlyArray<string>, folded: ReadonlyArray<string>, wanted: string): number => {
  const exact = header.indexOf(wanted)
  if (exact >= 0) return exact
  const at = folded.indexOf(foldName(wanted))
  if (at >= 0) return at
  const number = /^\d{1,4}$/.test(wanted) ? Number(wanted) : 0
  return number >= 1 && number <= header.length ? number - 1 : -1
}
