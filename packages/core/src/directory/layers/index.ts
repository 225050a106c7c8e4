/** A directory that changes while it is searched: changes are layers in memory, and are merged in another thread. */

export * from "./ChangedAddresses.ts"
export * from "./extendDirectory.ts"
export * from "./LiveDirectory.ts"
export * from "./MergeLayers.ts"
export * from "./UnitStates.ts"
