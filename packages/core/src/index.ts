/**
 * The national postcode, pure: no I/O, no Node, no HTTP. Import a module by its own path to load nothing else:
 * `@postcode/core/Postcode` has no dependency at all.
 */
export * as AccessLevel from "./AccessLevel.ts"
export * as ApiKey from "./ApiKey.ts"
export * as Autocomplete from "./Autocomplete.ts"
export * as Coordinate from "./Coordinate.ts"
export * as Corrections from "./Corrections.ts"
export * as Credits from "./Credits.ts"
export * as Directory from "./Directory.ts"
export * as DirectoryBuilder from "./DirectoryBuilder.ts"
export * as DirectoryCsv from "./DirectoryCsv.ts"
export * as Errors from "./Errors.ts"
export { InvalidSnapshot } from "./InvalidSnapshot.ts"
export * as LiveDirectory from "./LiveDirectory.ts"
export * as MergeLayers from "./MergeLayers.ts"
export * as Postcode from "./Postcode.ts"
export * as PostcodeSchema from "./PostcodeSchema.ts"
export * as ReverseGeocoder from "./ReverseGeocoder.ts"
export * as Selection from "./Selection.ts"
export * as Snapshot from "./Snapshot.ts"
export * as Validation from "./Validation.ts"
