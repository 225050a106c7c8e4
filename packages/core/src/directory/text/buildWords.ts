/** The distinct words of all texts, sorted, and the words of each text. */
import { maxWordsOfText } from "../snapshot/SnapshotLimits.ts"
import { TextTable } from "./TextTable.ts"
import { wordsOf } from "./Words.ts"

export interface BuiltWords {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
  readonly textStarts: Uint32Array
  readonly textWords: Uint32Array
  readonly rarities: Uint8Array
}

export const buildWords = (texts: TextTable): BuiltWords => {
  const words = new TextTable()
  const textStarts = new Uint32Array(texts.size + 1)
  const found: Array<number> = []
  for (let text = 0; text < texts.size; text++) {
    const ofText = wordsOf(texts.textAt(text))
    for (let at = 0; at < ofText.length && at < maxWordsOfText; at++) found.push(words.add(ofText[at] as string))
    textStarts[text + 1] = found.length
  }
  const { bytes, starts } = words.columns()
  const order = new Uint32Array(words.size).map((_, word) => word)
  order.sort((a, b) => compare(bytes, starts, a, b))
  const rankOf = new Uint32Array(words.size)
  for (let rank = 0; rank < order.length; rank++) rankOf[order[rank] as number] = rank
  const textWords = Uint32Array.from(found, (word) => rankOf[word] as number)
  return {
    ...sorted(bytes, starts, order),
    textStarts,
    textWords,
    rarities: raritiesOf(textStarts, textWords, order.length)
  }
}

const compare = (bytes: Uint8Array, starts: Uint32Array, a: number, b: number): number => {
  const startA = starts[a] as number
  const startB = starts[b] as number
  const lengthA = (starts[a + 1] as number) - startA
  const lengthB = (starts[b + 1] as number) - startB
  const length = Math.min(lengthA, lengthB)
  for (let at = 0; at < length; at++) {
    const difference = (bytes[startA + at] as number) - (bytes[startB + at] as number)
    if (difference !== 0) return difference
  }
  return lengthA - lengthB
}

const sorted = (
  bytes: Uint8Array,
  starts: Uint32Array,
  order: Uint32Array
): { readonly bytes: Uint8Array; readonly starts: Uint32Array } => {
  const sortedBytes = new Uint8Array(bytes.length)
  const sortedStarts = new Uint32Array(starts.length)
  let end = 0
  for (let rank = 0; rank < order.length; rank++) {
    const word = bytes.subarray(starts[order[rank] as number], starts[(order[rank] as number) + 1])
    sortedBytes.set(word, end)
    end += word.length
    sortedStarts[rank + 1] = end
  }
  return { bytes: sortedBytes, starts: sortedStarts }
}

const raritiesOf = (textStarts: Uint32Array, textWords: Uint32Array, words: number): Uint8Array => {
  const counts = new Uint32Array(words)
  for (let text = 0; text + 1 < textStarts.length; text++) {
    const first = textStarts[text] as number
    for (let at = first; at < (textStarts[text + 1] as number); at++) {
      const word = textWords[at] as number
      if (textWords.indexOf(word, first) === at) counts[word] = (counts[word] as number) + 1
    }
  }
  return Uint8Array.from(counts, (count) => Math.min(255, Math.round(16 * Math.log((textStarts.length - 1) / count))))
}
