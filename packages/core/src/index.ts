/**
 * The national postcode without I/O, Node or HTTP. Import a module by its path to load nothing else:
 * `@postcode/core/Postcode` has no dependency.
 */

export * as Credits from "./credits/index.ts"
export * as Prices from "./credits/Prices.ts"
export * as Changes from "./directory/changes/index.ts"
export * as Csv from "./directory/csv/index.ts"
export * as DirectoryBuilder from "./directory/DirectoryBuilder.ts"
export * as Directory from "./directory/index.ts"
export * as LiveDirectory from "./directory/layers/index.ts"
export * as Snapshot from "./directory/snapshot/index.ts"
export * as Coordinate from "./directory/space/Coordinate.ts"
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
