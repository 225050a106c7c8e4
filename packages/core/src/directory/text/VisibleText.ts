/** Characters of texts that people compare by eye, such as names. */

/**
 * Invisible characters: format characters, which hide or reorder others, and characters that are shown as nothing. Not
 * variation selectors, which belong to emoji, and not the joiners of words between two letters.
 */
const invisible =
  /(?![\ufe00-\ufe0f])(?!(?<=[\p{L}\p{M}])[\u200c\u200d]\p{L})[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The first invisible character of a text; undefined if it has none. */
export const firstInvisible = (text: string): string | undefined => {
  const code = text.codePointAt(text.search(invisible))
  return code === undefined ? undefined : String.fromCodePoint(code)
}

/** Whether a text contains an invisible character. */
export const hasInvisible = (text: string): boolean => firstInvisible(text) !== undefined

/** A text without its invisible characters: `a\u202eb` → `ab`. */
export const withoutInvisible = (text: string): string => text.replace(invisible, "")

/** Whether a text shows anything: a letter, a digit, punctuation or a symbol. U+2800 is a symbol without dots. */
export const isVisible = (text: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(withoutInvisible(text).replaceAll("\u2800", ""))
