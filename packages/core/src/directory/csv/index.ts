/** CSV files: their text, and the files of a directory. */

export * from "../checks/index.ts"
export { parseDegrees } from "../space/parseDegrees.ts"
export { isWordForNothing } from "../text/isWordForNothing.ts"
export * from "./Csv.ts"
export * from "./CsvFile.ts"
export { CsvRow } from "./CsvRow.ts"
export type { CsvReaderOptions } from "./CsvScanner.ts"
export { type ColumnMapping, foldName } from "./columnNames.ts"
export * from "./DirectoryCsv.ts"
export { describeForm, encodingWarning, type FileForm, type FormOptions, lengthWithoutSurplus } from "./FileForm.ts"
export { cellText, cellValue, mendedField } from "./mendFields.ts"
export { sampleUnits } from "./sampleUnits.ts"
