/** The form in which names and texts are compared. */

/**
 * A name in the form that is compared: lower case, without diacritics and apostrophes, hyphens, slashes and other
 * separators as one space. `Ọbáfẹ́mi-Owódé` → `obafemi owode`, `Jama'are` → `jamaare`.
 */
export const foldName = (name: string): string =>
  // Most typed text is a few plain letters.
  /^[a-z0-9]+( [a-z0-9]+)*$/i.test(name)
    ? name.toLowerCase()
    : fold(name)
        .replace(/[\s\p{Pd}/_.,()]+/gu, " ")
        .trim()

/** The words of a text, folded. Everything but letters, digits and apostrophes separates them. */
export const foldedWords = (text: string): ReadonlyArray<string> => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Lower case, without diacritics, apostrophes and format characters, and in ASCII instead of full-width forms. */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[ɓɗƙƴ]/g, (hooked) => plainLetters[hooked] as string)
    .replace(/[\p{M}\p{Cf}'‘’ʻʼ`´ʹ′]/gu, "")

/** The hooked letters of Hausa, which have no Unicode decomposition. */
const plainLetters: Readonly<Record<string, string>> = { ɓ: "b", ɗ: "d", ƙ: "k", ƴ: "y" }
