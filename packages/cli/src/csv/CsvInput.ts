/** Reads the bytes of a CSV file in the form that people have it, as rows of byte text in UTF-8. */
import {
  CsvFile,
  type CsvHandlers,
  describeForm,
  encodingWarning,
  type FormOptions,
  UnreadableFile
} from "@postcode/core/Csv"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { byteTextReader } from "./ByteText.ts"

/** What a reader of rows knows of its file. */
export interface CsvInputOptions extends FormOptions {
  /** Called with what the user should know of how the file is written. */
  readonly onNote: (note: string) => void
}

export class CsvInput {
  /** What separates the fields. */
  delimiter = ","
  private readonly file: CsvFile

  constructor(handlers: CsvHandlers, { onNote, ...options }: CsvInputOptions) {
    this.file = new CsvFile(
      {
        onForm: (form) => {
          const described = describeForm(form, options.noHeader)
          if (described !== undefined) onNote(`read as: ${described}`)
          const warning = encodingWarning(form)
          if (warning !== undefined) onNote(warning)
          const { backslash, delimiter, skipLines } = form
          this.delimiter = delimiter
          return byteTextReader(handlers, { backslash, delimiter, skipLines, skipsEmptyRows: true })
        },
        onWindows1252: () => onNote(encodingWarning({ encoding: "windows-1252" }) as string)
      },
      options
    )
  }

  /**
   * The chunk may be reused afterwards.
   *
   * @throws CommandFailure if the file is not read, as `end` does
   */
  write(chunk: Uint8Array): void {
    explained(() => this.file.write(chunk))
  }

  end(): void {
    explained(() => this.file.end())
  }
}

const explained = (read: () => void): void => {
  try {
    read()
  } catch (error) {
    throw error instanceof UnreadableFile ? new CommandFailure(error.message) : error
  }
}

/** The failure of a file that has a header and nothing else. */
export const noRows = (): CommandFailure => new CommandFailure("it has a header, and no rows after it")
