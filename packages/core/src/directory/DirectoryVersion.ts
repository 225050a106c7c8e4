/** A version of a directory: the edition that was imported, and the number of changes since. */

export interface DirectoryVersion {
  /** The publisher's name of the edition; empty if unknown. */
  readonly edition: string
  /** Number of changes applied to the edition. */
  readonly changes: number
}

/**
 * The text of a version, which headers and URLs may contain: the edition, see `encodeText`, and the number of changes
 * after a plus sign, if any. An unknown edition without changes is `+0`, so that no text is empty.
 *
 * ```ts
 * formatVersion({ edition: "2026-1", changes: 17 }) // "2026-1+17"
 * ```
 */
export const formatVersion = ({ changes, edition }: DirectoryVersion): string =>
  // The encoding contains no plus sign, so the number follows the only one.
  encodeText(edition) + (changes > 0 || edition === "" ? `+${changes}` : "")

/**
 * A text of the publisher, which may contain any character, for headers and URLs: at most its first 64 characters,
 * percent-encoded, which keeps letters, digits and most punctuation. Lone surrogates are replaced.
 */
export const encodeText = (text: string): string =>
  encodeURIComponent(text.slice(0, maxShown).replace(/\p{Surrogate}/gu, "\ufffd"))

/** The version of a text; undefined if it is not one. Of a long edition only the first 64 characters are known. */
export const parseVersion = (text: string): DirectoryVersion | undefined => {
  if (text.length > maxLength) return undefined
  const found = /^(?!$)([^+\s]*)(?:\+(0|[1-9][0-9]{0,8}))?$/.exec(text)
  if (found === null) return undefined
  try {
    return { edition: decodeURIComponent(found[1] as string), changes: Number(found[2] ?? 0) }
  } catch {
    return undefined
  }
}

/** In characters, before encoding: clients reject very long headers. */
const maxShown = 64

/** Of a text: nine characters for each of the edition, a plus sign and nine digits. */
const maxLength = 9 * maxShown + 10
