/** A file of rows in the form that people have it: its bytes are converted to UTF-8 once its form is found. */
import { type FileForm, type FormOptions, findForm, sampleBytes } from "./FileForm.ts"
import { encodeUtf8 } from "./TextCoding.ts"
import { Utf8Conversion } from "./Utf8Conversion.ts"

/** The file cannot be read. The message says what it is, and what to do. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile"
}

/** Takes the text of a file. */
export interface FileText {
  readonly write: (utf8: Uint8Array) => void
  readonly end: () => void
}

/** What takes the content of a file. */
export interface CsvFileHandlers {
  /** Called once with the form, before the text. Returns the reader of the text. */
  readonly onForm: (form: FileForm) => FileText
  /** The text is Windows-1252, which only characters after the start of the file show. */
  readonly onWindows1252?: () => void
}

/**
 * Looks at the first 64 KiB, and then passes the text on in chunks.
 *
 * @throws UnreadableFile from `write` or `end`, if the file is not read
 */
export class CsvFile {
  private readonly handlers: CsvFileHandlers
  private readonly options: FormOptions
  private sample: Array<Uint8Array> = []
  private sampled = 0
  private text: FileText | undefined
  private conversion: Utf8Conversion | undefined

  constructor(handlers: CsvFileHandlers, options: FormOptions = {}) {
    this.handlers = handlers
    this.options = options
  }

  /** The chunk may be reused afterwards. */
  write(chunk: Uint8Array): void {
    if (this.text !== undefined && this.conversion !== undefined) {
      this.text.write(this.conversion.convert(chunk))
      return
    }
    if (this.sampled + chunk.length < sampleBytes) {
      this.sample.push(new Uint8Array(chunk))
      this.sampled += chunk.length
      return
    }
    this.begin(chunk, false)
  }

  end(): void {
    if (this.text === undefined) this.begin(new Uint8Array(0), true)
    const rest = this.conversion?.end() as Uint8Array
    if (rest.length > 0) this.text?.write(rest)
    this.text?.end()
  }

  private begin(chunk: Uint8Array, isWhole: boolean): void {
    const start = joined([...this.sample, chunk])
    this.sample = []
    const found = findForm(start.subarray(0, sampleBytes), isWhole, this.options)
    if (!found.ok) throw new UnreadableFile(found.reason)
    this.text = this.handlers.onForm(found.form)
    this.conversion = new Utf8Conversion(found.form, this.handlers.onWindows1252)
    if (found.form.lacksFirstName) this.text.write(encodeUtf8(`""${found.form.delimiter}`))
    this.text.write(this.conversion.convert(start))
  }
}

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
