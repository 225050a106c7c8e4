/** Reads the XML of a workbook as it is unpacked. Documents that could fill the memory are refused. */
import { TextDecoder } from "node:util"
import { SaxesParser } from "saxes"
import { CommandFailure } from "../process/ExitCode.ts"
import { damaged } from "./Archive.ts"

/** Takes the elements of a document, by their names without prefixes. */
export interface XmlHandlers {
  readonly onOpen: (name: string, attribute: (name: string) => string | undefined) => void
  readonly onClose: (name: string) => void
  readonly onText: (text: string) => void
}

/** Elements within elements. Those of a workbook have fewer than 20. */
const maxDepth = 64
/** The length of XML without an element or the end of one. A cell has 32,767 characters. */
const maxPiece = 4 << 20

/**
 * Passes a document on, and pauses after each chunk.
 *
 * @throws CommandFailure if it is not well formed, or has a document type, whose entities may expand without end
 */
export async function* readXml(chunks: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const { onClose, onOpen, onText } = handlers
  let depth = 0
  let piece = 0
  const parser = new SaxesParser({ position: false })
  parser.on("error", (error) => {
    throw damaged(`its XML is not well formed (${error.message.split(/[.:]/)[0]?.slice(0, 60)})`)
  })
  parser.on("doctype", () => {
    throw damaged("its XML has a document type, which no spreadsheet program writes")
  })
  let attributes: Readonly<Record<string, string>> = {}
  const attribute = (name: string) => attributes[name] ?? (name.includes(":") ? prefixed(attributes, name) : undefined)
  parser.on("opentag", (tag) => {
    piece = 0
    if (++depth > maxDepth) throw damaged("its elements are nested too deep")
    attributes = tag.attributes as Readonly<Record<string, string>>
    onOpen(localOf(tag.name), attribute)
  })
  parser.on("closetag", ({ name }) => {
    piece = 0
    depth--
    onClose(localOf(name))
  })
  parser.on("text", onText)
  parser.on("cdata", onText)
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk))
    piece += chunk.length
    if (piece > maxPiece) throw new CommandFailure("a cell of the workbook is too long: save the sheet as CSV UTF-8")
    parser.write(decoder.decode(chunk, { stream: true }))
    yield
  }
  parser.write(decoder?.decode() ?? "").close()
}

const encodingOf = ([first, second]: Buffer): string =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"

const localOf = (name: string): string => {
  const colon = name.indexOf(":")
  return colon < 0 ? name : name.slice(colon + 1)
}

/** `r:id`, whatever the prefix of the namespace. */
const prefixed = (attributes: Readonly<Record<string, string>>, name: string): string | undefined => {
  const end = name.slice(name.indexOf(":"))
  const found = Object.keys(attributes).find((one) => one.endsWith(end))
  return found === undefined ? undefined : attributes[found]
}
