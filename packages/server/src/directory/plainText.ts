/** What mail programs, database shells and wrong encodings make of a text file: undone where it is safe, and told. */
import { CommandFailure } from "../process/ExitCode.ts"

type OnNote = ((note: string) => void) | undefined

const sample_bytes = 65_536

/**
 * The bytes of a file without quoted-printable, with tabs in place of separators that are no single byte. A warning
 * follows if texts are garbled.
 *
 * @throws CommandFailure if the text is no table
 */
export async function* plainText(chunks: AsyncIterable<Buffer>, onNote: OnNote): AsyncGenerator<Buffer> {
  let convert: Conversion | undefined
  let isGarbled = false
  for await (const chunk of chunks) {
    convert ??= conversionOf(chunk.toString("latin1", 0, sample_bytes), onNote)
    const bytes = convert.write(chunk)
    const word = isGarbled ? undefined : garbledIn(bytes)
    if (word !== undefined) {
      isGarbled = true
      onNote?.(
        `warning: texts such as "${word}" are UTF-8 that was read in another encoding: export the data again as UTF-8`
      )
    }
    if (bytes.length > 0) yield bytes
  }
  const rest = convert?.end() ?? Buffer.alloc(0)
  if (rest.length > 0) yield rest
}

interface Conversion {
  /** The result may be the chunk itself. */
  readonly write: (chunk: Buffer) => Buffer
  readonly end: () => Buffer
}

const conversionOf = (start: string, onNote: OnNote): Conversion => {
  if (/^(?:-\[ RECORD 1 \]|\*{20,} 1\. row \*)/.test(start.trimStart()))
    throw new CommandFailure(
      "this has one line for each field, as psql writes with \\x and MySQL with \\G: export the data as CSV UTF-8"
    )
  if (isQuotedPrintable(start)) {
    onNote?.("read as: quoted-printable, as mails have attachments")
    return byLines((text) =>
      text.replace(/=\r?\n/g, "").replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    )
  }
  const separator = wideSeparators.find(([, bytes]) => separates(start, bytes))
  if (separator === undefined) return { write: (chunk) => chunk, end: () => Buffer.alloc(0) }
  onNote?.(`its fields are separated by ${separator[0]}: read with tabs in their place`)
  return byLines((text) => text.replaceAll(separator[1], "\t"))
}

/** Every equals sign is one of an escape or of a broken line, no line is longer than mails allow, and there are such. */
const isQuotedPrintable = (start: string): boolean =>
  (/=\r?\n/.test(start) || /=[C-F][\dA-F]=[89AB][\dA-F]/.test(start)) &&
  !/=(?![\dA-F]{2}|\r?\n)/.test(start.slice(0, start.lastIndexOf("\n") + 1)) &&
  !/[^\r\n]{77}/.test(start)

const wideSeparators = [
  ["\u00b6", Buffer.from("\u00b6").toString("latin1")],
  ["em spaces", Buffer.from("\u2003").toString("latin1")],
  ["\u00a6", Buffer.from("\u00a6").toString("latin1")],
  ["\u00a7", Buffer.from("\u00a7").toString("latin1")]
] as const

/** Whether all lines have it, and equally often; a line may be cut off at the end. */
const separates = (start: string, separator: string): boolean => {
  if (start.includes("\t") || !start.includes(separator)) return false
  const [first = 0, ...others] = start
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== "")
    .map((line) => line.split(separator).length - 1)
  return first > 0 && others.length > 0 && others.slice(0, -1).every((count) => count === first)
}

/** Converts whole lines, which the next chunk may end. */
const byLines = (convert: (text: string) => string): Conversion => {
  let rest = ""
  const taken = (text: string) => Buffer.from(convert(text), "latin1")
  return {
    write: (chunk) => {
      const text = rest + chunk.toString("latin1")
      const end = text.lastIndexOf("\n") + 1
      rest = text.slice(end)
      return taken(text.slice(0, end))
    },
    end: () => taken(rest)
  }
}

/** `Ã` and a sign, `â€`, and `á` with a sign and one more: no text has them otherwise. */
const garbles = ["c383c2", "c3a2e282ac", "c3a1c2ba", "c3a1c2bb", "c3a1c2b9", "c3afc2bbc2bf"].map((hex) =>
  Buffer.from(hex, "hex")
)

/** A word of UTF-8 that was read as Windows-1252. */
const garbledIn = (bytes: Buffer): string | undefined => {
  for (const garble of garbles) {
    const at = bytes.indexOf(garble)
    const next = bytes[at + garble.length] ?? 0
    // `á»` may end a quotation; in a garbled letter, a third character follows.
    if (at < 0 || (garble[1] === 0xa1 && next < 0xc2)) continue
    const before = /[^\s,;|"]{0,12}$/.exec(bytes.toString("utf8", Math.max(0, at - 24), at).replace(/^\ufffd+/, ""))
    const after = /^[^\s,;|"]{1,16}/.exec(bytes.toString("utf8", at, at + 32))
    return `${before?.[0] ?? ""}${after?.[0] ?? ""}`.replace(/[\p{C}\ufffd]/gu, "")
  }
  return undefined
}
