/** Explains a field of a body that the contract does not have, with the name that was probably meant. */
import type { Schema } from "effect"
import { SchemaAST } from "effect"

/** The field of a body that was refused. */
export interface UnknownField {
  readonly name: string
  /** The path of its object, such as `changes[3]`; empty for the body. */
  readonly place: string
  /** The names that the object may have. */
  readonly known: ReadonlyArray<string>
}

/** The fields that an endpoint shows and cannot change. */
export interface FixedFields {
  readonly names: ReadonlyArray<string>
  /** What to do instead; undefined if there is nothing. */
  readonly instead: string | undefined
}

/** The message for a field. It has the name only if that has the form of a name: other text may be secret. */
export const explainUnknownField = ({ known, name, place }: UnknownField, fixed: FixedFields): string => {
  if (place === "" && fixed.names.includes(name)) {
    const instead = fixed.instead === undefined ? "" : `: ${fixed.instead}`
    return `"${name}" cannot be changed${instead}`
  }
  const within = place === "" ? "" : ` in ${place}`
  const list = known.map((name) => `"${name}"`).join(", ")
  if (!namePattern.test(name)) return `unknown field with another name than ${list}${within}`
  const meant = nearest(name, known)
  const hint = meant === undefined ? `expected only ${list}` : `did you mean "${meant}"?`
  return `unknown field "${name}"${within}; ${hint}`
}

/** The names of an object in JSON; none if the schema is not of an object. */
export const fieldNames = (schema: Schema.Top | undefined): ReadonlyArray<string> =>
  schema === undefined ? [] : Object.keys(fieldsOf(SchemaAST.toEncoded(schema.ast)))

/** The names in the `data` of a response. */
export const dataNames = (response: Schema.Top | undefined): ReadonlyArray<string> => {
  const { data } = response === undefined ? {} : fieldsOf(SchemaAST.toEncoded(response.ast))
  return data === undefined ? [] : Object.keys(fieldsOf(data))
}

/** The fields of an object with their types. */
export const fieldsOf = (ast: SchemaAST.AST): Readonly<Record<string, SchemaAST.AST>> =>
  SchemaAST.isObjects(ast)
    ? Object.fromEntries(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
    : {}

/** Keys and tokens are longer, and addresses and numbers of end users have other characters. */
const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/

/** The known name that begins with the same letters, or differs in at most two, and at most one in three. */
const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const letters = lettersOf(name)
  let best: string | undefined
  let least = Math.min(maxSlips, Math.floor(letters.length / 3)) + 1
  for (const other of known) {
    const others = lettersOf(other)
    const isBeginning = letters.length >= minBeginning && (others.startsWith(letters) || letters.startsWith(others))
    const slips = isBeginning ? Math.min(1, slipsBetween(letters, others)) : slipsBetween(letters, others)
    if (slips < least) {
      best = other
      least = slips
    }
  }
  return best
}

const maxSlips = 2
const minBeginning = 4

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "")

/** Levenshtein distance. */
const slipsBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = at(row, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, at(row, j) + 1, at(next, j - 1) + 1))
    }
    row = next
  }
  return at(row, other.length)
}

const at = (row: ReadonlyArray<number>, i: number): number => row[i] as number
