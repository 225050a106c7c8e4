/**
 * Texts of a directory or a service in sentences that an agent reads. Someone else may have written them, so they are
 * quoted, without line ends, control and format characters and quotes that could end the quotation, and shortened.
 */

/** @param maxLength in characters */
export const quoted = (text: string, maxLength = 200): string => {
  const plain = text
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\p{C}/gu, "")
    .replace(/["“”„‟«»＂]/g, "'")
    .trim()
  const characters = Array.from(plain)
  return `“${characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : plain}”`
}

/** A postcode or a part of one as it is; anything else is quoted. */
export const quotedUnlessCode = (code: string): string => (/^[A-Z0-9-]{1,20}$/.test(code) ? code : quoted(code, 40))
