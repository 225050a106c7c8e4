/** Changes of a directory: what a change is, what is wrong with it, and the differences between two editions. */

export * from "../Removals.ts"
export * from "./changeFault.ts"
export * from "./decideChanges.ts"
export * from "./UnitChange.ts"
export * from "./unitStateIn.ts"
