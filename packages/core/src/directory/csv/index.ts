/** CSV files: their text, and the files of a directory. */

export * from "./Csv.ts"
export * from "./DirectoryCsv.ts"
