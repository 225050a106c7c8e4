/** A directory as one file, which opens without being built. */

export * from "./InvalidSnapshot.ts"
export * from "./Snapshot.ts"
