/**
 * JSON bodies that may be longer than others, because one of their lists is. The text is cut at the items of that list,
 * and each item is parsed and decoded alone. So no step works on more than the length of another body, and other
 * requests are answered between the steps.
 */
import { Effect, type Exit, Result } from "effect"
import { InvalidBody, type PayloadTooLarge, type UnsupportedMediaType } from "../pipeline/ErrorTable.ts"
import type { HttpRequest } from "../server/HttpMessage.ts"
import { afterSpace, endOfString, maxBody_bytes, parseText, readBytes, textOf } from "./Json.ts"

/** A long body. */
export interface LongForm<E> {
  readonly maximum_bytes: number
  /** The name of its list. */
  readonly list: string
  readonly decodeItem: (item: unknown, index: number) => Exit.Exit<unknown, E>
}

/** The body as a JSON value, with decoded items in its list. The first item that is invalid fails. */
export const readLongJson = <E>(
  request: HttpRequest,
  form: LongForm<E>
): Effect.Effect<unknown, E | InvalidBody | PayloadTooLarge | UnsupportedMediaType> =>
  Effect.flatMap(readBytes(request, form.maximum_bytes, `${form.maximum_bytes / 2 ** 20} MiB`), (bytes) =>
    Effect.flatMap(Effect.fromResult(textOf(bytes)), (text) => parseLongJson(text, form))
  )

/** The same for a text. */
export const parseLongJson = <E>(text: string, form: LongForm<E>): Effect.Effect<unknown, E | InvalidBody> =>
  Effect.gen(function* () {
    const { decodeItem, list } = form
    const cut = cutAtItems(text, list)
    const items: Array<unknown> = []
    let sliceEnds_ms = performance.now() + slice_ms
    let next = cut.next()
    while (next.done !== true) {
      const item = yield* Effect.fromResult(parsePiece(next.value))
      items.push(yield* decodeItem(item, items.length))
      if (performance.now() >= sliceEnds_ms) {
        yield* Effect.yieldNow
        sliceEnds_ms = performance.now() + slice_ms
      }
      next = cut.next()
    }
    const value = yield* Effect.fromResult(parsePiece(next.value))
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    const body = value as Readonly<Record<string, unknown>>
    const { [list]: rest } = body
    if (!Array.isArray(rest)) return body
    // The list was not found in the text if an escape stands in its name.
    for (const item of rest) items.push(yield* decodeItem(item, items.length))
    return { ...body, [list]: items }
  })

/** How long a slice takes, in milliseconds of processor time. */
const slice_ms = 5

/** A piece of the text; undefined if it is longer than another body may be. */
type Piece = string | undefined

const parsePiece = (piece: Piece): Result.Result<unknown, InvalidBody> =>
  piece === undefined ? Result.fail(pieceTooLong) : parseText(piece)

const pieceTooLong = new InvalidBody({
  message: "an item of the body's list, and the body without its list, may have at most 64 KiB"
})

/**
 * Yields the text of each item of a list of the outermost object, and returns the text with an empty list. The text
 * need not be valid: then a piece or the rest is not, either.
 */
function* cutAtItems(text: string, list: string): Generator<Piece, Piece> {
  const begin = findList(text, JSON.stringify(list))
  if (begin === undefined) return text.length > maxBody_bytes ? undefined : text
  let start = begin
  let depth = 0
  let i = begin
  for (; i < text.length; i++) {
    if (i - start > maxBody_bytes) return undefined
    const char = text.charCodeAt(i)
    if (char === quote) i = endOfString(text, i) - 1
    else if (char === openBrace || char === openBracket) depth++
    else if (char === closeBrace || char === closeBracket) {
      if (depth === 0) break
      depth--
    } else if (char === comma && depth === 0) {
      yield pieceOf(text, start, i)
      start = i + 1
    }
  }
  if (start > begin || afterSpace(text, start) < i) yield pieceOf(text, start, i)
  const rest = text.length - i
  return begin + rest > maxBody_bytes ? undefined : text.slice(0, begin) + text.slice(i)
}

const pieceOf = (text: string, start: number, end: number): Piece =>
  end - start > maxBody_bytes ? undefined : text.slice(start, end)

/** The index just after the bracket that opens the list under a name; undefined if the text begins without it. */
const findList = (text: string, name: string): number | undefined => {
  let depth = 0
  for (let i = 0; i < text.length && i <= maxBody_bytes; i++) {
    const char = text.charCodeAt(i)
    if (char === quote) {
      const end = endOfString(text, i)
      const colon = afterSpace(text, end)
      const value = afterSpace(text, colon + 1)
      const isName = depth === 1 && text.charAt(colon) === ":" && text.slice(i, end) === name
      if (isName && text.charCodeAt(value) === openBracket) return value + 1
      i = end - 1
    } else if (char === openBrace || char === openBracket) depth++
    else if (char === closeBrace || char === closeBracket) depth--
  }
  return undefined
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
