/** A text with its label: what an honest answer may claim. */

/** `other`: hard texts of kinds that nothing was tuned with. */
export type TextSet = "plain" | "hard" | "other"

export interface TestText {
  readonly text: string
  /** How it was made. */
  readonly kind: string
  readonly set: TextSet
  readonly meaning: Meaning
}

export interface Meaning {
  /** The postcodes of all units that the text can mean, in order; none if it means no place. */
  readonly codes: ReadonlyArray<string>
  /** Whether what is meant is not in the directory, so that a unit is wrong. */
  readonly isUnlisted: boolean
  /** Whether the text names its only unit without doubt. */
  readonly isCertain: boolean
}

/** The only unit that a text can mean; undefined if there are several or none. */
export const onlyUnit = ({ codes, isUnlisted }: Meaning): string | undefined =>
  !isUnlisted && codes.length === 1 ? codes[0] : undefined

/** Whether a code holds what is meant: the unit itself, or at least 95 % of the units that can be meant. */
export const isRight = (meaning: Meaning, code: string): boolean => {
  if (code.length === unitLength) return onlyUnit(meaning) === code
  const { codes } = meaning
  return codes.length > 0 && codes.filter((unit) => unit.startsWith(code)).length >= 0.95 * codes.length
}

const unitLength = "LA-11-B03-PD-01".length

/** FNV-1a of 32 bits, which halves a directory: nothing is tuned on units with an odd one. */
export const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
