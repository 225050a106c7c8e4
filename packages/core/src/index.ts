/**
 * The national postcode without I/O, Node or HTTP. Import a module by its path to load nothing else:
 * `@postcode/core/Postcode` has no dependency.
 */

export * as Credits from "./credits/Credits.ts"
export * as DirectoryCsv from "./directory/csv/DirectoryCsv.ts"
export * as Directory from "./directory/Directory.ts"
export * as DirectoryBuilder from "./directory/DirectoryBuilder.ts"
export * as LiveDirectory from "./directory/layers/LiveDirectory.ts"
export * as MergeLayers from "./directory/layers/MergeLayers.ts"
export { InvalidSnapshot } from "./directory/snapshot/InvalidSnapshot.ts"
export * as Snapshot from "./directory/snapshot/Snapshot.ts"
export * as Coordinate from "./directory/space/Coordinate.ts"
export * as Errors from "./Errors.ts"
export * as AccessLevel from "./levels/AccessLevel.ts"
export * as Selection from "./levels/Selection.ts"
export * as ParseLenient from "./postcode/ParseLenient.ts"
export * as Postcode from "./postcode/Postcode.ts"
export * as PostcodeSchema from "./postcode/PostcodeSchema.ts"
export * as Autocomplete from "./search/Autocomplete.ts"
export * as AddressSearch from "./search/address/AddressSearch.ts"
export * as Corrections from "./search/Corrections.ts"
export * as ReverseGeocoder from "./search/ReverseGeocoder.ts"
export * as Validation from "./search/Validation.ts"
