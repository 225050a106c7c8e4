import { createHash } from "node:crypto"

/** The SHA-256 of a text in 64 letters: a long number could look like an identifier. */
export const letterHash = (text: string): string => inLetters(createHash("sha256").update(text).digest("hex"))

/** A hexadecimal hash in letters. */
export const inLetters = (hex: string): string => hex.replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)] as string)
