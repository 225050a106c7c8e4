/** Interning of repeated texts: each is stored once and has a code from 1; 0 is no text. */

/** Maximum number of recognized texts: enough for all places of a country, in about 10 MB. */
const maxRecognized = 100_000

export class RepeatedTexts {
  private readonly texts: Array<string> = [""]
  private readonly codes = new Map<string, number>()

  /** The code of a text. A text that is no longer recognized is stored again, so it may have several codes. */
  code(text: string | undefined): number {
    if (text === undefined) return 0
    const known = this.codes.get(text)
    if (known !== undefined) return known
    // Resetting bounds the memory if texts do not repeat, and costs little if they do.
    if (this.codes.size === maxRecognized) this.codes.clear()
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

/** A copy: a substring would keep the whole file in memory. */
const detached = (text: string): string => JSON.parse(JSON.stringify(text)) as string
