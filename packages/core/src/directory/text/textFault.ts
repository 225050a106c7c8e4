/** Validation of texts of a directory: names of places and attributes of units. */
import { firstInvisible } from "./VisibleText.ts"

/**
 * The fault of a text, such as `expected text without invisible characters, found U+202E`; undefined if it is valid.
 * PostgreSQL stores no NUL character. Invisible characters hide and reorder what people compare by eye.
 */
export const textFault = (text: string): string | undefined => {
  // Most texts are ASCII, and the pattern of invisible characters is slow.
  if (!/[\0\x80-\uffff]/.test(text)) return undefined
  if (text.includes("\0")) return "expected text, found a NUL character"
  const found = firstInvisible(text)
  if (found === undefined) return undefined
  const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
  return `expected text without invisible characters, found U+${code}`
}
