/** The characters that may separate the fields of a CSV file, by the names that `--delimiter` takes. */
export const delimiters = { comma: ",", semicolon: ";", tab: "\t", bar: "|" } as const

export type Delimiter = keyof typeof delimiters

export const delimiterNames = Object.keys(delimiters) as ReadonlyArray<Delimiter>
