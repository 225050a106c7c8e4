/** Texts that occur again and again, each kept once and named by a code from 1; 0 stands for no text. */

/** How many texts are recognized when they come again: enough for all places of a country, in some 10 MB. */
const maximumRecognized = 100_000

export class RepeatedTexts {
  private readonly texts: Array<string> = [""]
  private readonly codes = new Map<string, number>()

  /** The code of a text. One that was not recognized is kept once more, so it may have several. */
  code(text: string | undefined): number {
    if (text === undefined) return 0
    const known = this.codes.get(text)
    if (known !== undefined) return known
    // Starting over bounds the memory where the texts do not repeat after all, and loses little where they do.
    if (this.codes.size === maximumRecognized) this.codes.clear()
    const code = this.texts.length
    const own = detached(text)
    this.texts.push(own)
    this.codes.set(own, code)
    return code
  }

  at(code: number): string {
    return this.texts[code] as string
  }
}

/** A copy that shares no memory: a text cut out of a file would keep the whole file alive. */
const detached = (text: string): string => JSON.parse(JSON.stringify(text)) as string
