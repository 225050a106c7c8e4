/** Finds the columns of a table in the header of a file, whatever their case, blanks and punctuation. */

/** The columns that are looked for. */
export interface TableColumns {
  /** In the order in which their fields are passed on. */
  readonly names: ReadonlyArray<string>
  /** Those that a file must have. */
  readonly required: ReadonlyArray<string>
  /** Other names of columns in their order of preference, by name. */
  readonly synonyms: Readonly<Record<string, ReadonlyArray<string>>>
  /** Columns that one column of the file may have together, and its names. */
  readonly joint?: { readonly names: ReadonlyArray<string>; readonly synonyms: ReadonlyArray<string> }
}

/** The header's name of a column, or its number from 1, by the name of the column. */
export type ColumnMapping = Readonly<Record<string, string>>

/** The index of each column in the file, −1 if it has none; or the fault of the header. */
export type FoundPositions =
  | { readonly ok: true; readonly positions: ReadonlyArray<number> }
  | { readonly ok: false; readonly fault: string; readonly missing: ReadonlyArray<string> }

/** A name without case, blanks and punctuation: `Post Code` and `post_code` are equal. */
export const foldName = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

export const findColumns = (
  header: ReadonlyArray<string>,
  { joint, names, required, synonyms }: TableColumns,
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
  for (const [column, name] of names.entries()) {
    if (positions[column] !== -1 || !required.includes(name) || mapping[name] !== undefined) continue
    const wanted = [foldName(name), ...(synonyms[name] ?? [])]
    const qualified = header.flatMap((given, at) => (!taken.has(at) && isQualified(given, wanted) ? [at] : []))
    const [only] = qualified
    if (only === undefined || qualified.length > 1) continue
    positions[column] = only
    taken.add(only)
  }
  const isMissing = (name: string) => positions[names.indexOf(name)] === -1 && mapping[name] === undefined
  const together = joint?.synonyms.map((synonym) => folded.indexOf(synonym)).find((at) => at >= 0 && !taken.has(at))
  if (joint?.names.every(isMissing) && together !== undefined)
    for (const name of joint.names) positions[names.indexOf(name)] = together
  const missing = names.filter(
    (name, column) => positions[column] === -1 && mapping[name] === undefined && required.includes(name)
  )
  if (missing.length > 0) faults.unshift(`no column ${missing.join(", ")}`)
  return faults.length === 0 ? { ok: true, positions } : { ok: false, fault: faults.join("; "), missing }
}

/** Whether a name says what it belongs to, and then one of the wanted names: `survey/postcode`, `GPS location (Latitude)`. */
const isQualified = (given: string, wanted: ReadonlyArray<string>): boolean => {
  const last = foldName(given.replace(/^.*[/.:]/s, ""))
  return wanted.some((one) => (last === one && one.length > 2) || (/itude$/.test(one) && last.endsWith(one)))
}

/** The header's name that is most like a column's: the same, a part of it, or with few other letters; undefined if none is. */
export const nearestName = (
  header: ReadonlyArray<string>,
  name: string,
  { synonyms }: TableColumns
): string | undefined => {
  const wanted = [foldName(name), ...(synonyms[name] ?? [])]
  let nearest: string | undefined
  let best = 0
  for (const given of header) {
    const folded = foldName(given)
    const likeness = Math.max(...wanted.map((one) => likenessOf(folded, one)))
    if (likeness > best) [nearest, best] = [given.trim(), likeness]
  }
  return nearest
}

/** From 0 to 1. */
const likenessOf = (given: string, wanted: string): number => {
  const [short, long] = given.length < wanted.length ? [given, wanted] : [wanted, given]
  if (short.length >= 3 && long.includes(short)) return 0.5 + short.length / long.length / 2
  const pairs = new Set(Array.from({ length: wanted.length - 1 }, (_, at) => wanted.slice(at, at + 2)))
  const shared = Array.from({ length: Math.max(0, given.length - 1) }, (_, at) => given.slice(at, at + 2)).filter(
    (pair) => pairs.has(pair)
  )
  const likeness = shared.length / Math.max(1, long.length - 1)
  return likeness > 0.4 ? likeness : 0
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
