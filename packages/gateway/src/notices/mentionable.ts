/** How mail mentions an organization, whose name a stranger may have chosen. */

/** Maximum length of a name in mail, in characters. */
export const maxMentioned = 60

/**
 * A name for mail: one line, at most 60 characters, without control characters and marks of direction. Undefined if
 * nothing is left, or if it contains anything that mail programs turn into a link: an address, a host name, a number
 * with many digits.
 */
export const mentionable = (name: string): string | undefined => {
  const line = name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim()
  if (line === "" || linkLike.test(line)) return undefined
  const characters = [...line]
  return characters.length <= maxMentioned ? line : `${characters.slice(0, maxMentioned - 1).join("")}…`
}

/** A scheme, a sign of addresses, a dot within a word in any script, or seven digits in a row, with or without separators. */
const linkLike = /[:/\\@<>]|[\p{L}\p{N}][.。．｡][\p{L}\p{N}]|www\b|(?:\d[ ().+-]*){7}/iu
