/** The national index in memory: units, the names of places, its version, and codes as numbers. */

export * from "./codes/PackedCode.ts"
export * from "./Directory.ts"
export * from "./DirectoryVersion.ts"
export * from "./places/Place.ts"
