/** A look at a directory beyond the form of its rows. */

export { checkDirectory } from "./checkDirectory.ts"
export { type DirectoryWarning, implausibleLines, type WarningRow, warningsOf } from "./DirectoryWarning.ts"
export { addressKey, addressKeyIn, type FileFacts, noFacts, type PlaceLocation } from "./FileFacts.ts"
export { type FindingKind, type Findings, findingKinds, implausibleKinds } from "./Finding.ts"
