/** The characters that may separate the fields of a CSV file, by the names that `--delimiter` takes. */
export const delimiters = { comma: ",", semicolon: ";", tab: "\t", bar: "|" } as const

export type Delimiter = keyof typeof delimiters

/** The character of a name; another sign stands for itself. */
export const delimiterOf = (given: string): string | undefined =>
  (delimiters as Readonly<Record<string, string>>)[given] ??
  (/^[!-~]$/.test(given) && !/[\w"\\-]/.test(given) ? given : undefined)

/** How the user says that a file is written. Undefined: it is found in the file. */
export interface FormFlags {
  readonly delimiter: string | undefined
  readonly skipLines: number | undefined
  /** Of a workbook. */
  readonly sheet: string | undefined
}

/** The options of a reader. */
export const formOf = ({ delimiter, skipLines }: FormFlags) => ({
  delimiter: delimiter && delimiterOf(delimiter),
  skipLines
})

export const delimiterNames = Object.keys(delimiters) as ReadonlyArray<Delimiter>
