/** The directory in force, in memory that all threads share. */

/** A directory as threads hand it to each other. */
export interface DirectoryImage {
  /** A snapshot. */
  readonly image: SharedArrayBuffer
  /** The edition that it is of the database's directory; undefined if it comes from elsewhere. */
  readonly edition: number | undefined
  /** Since when it is in force, ISO 8601, UTC; undefined if that is not known. */
  readonly since: string | undefined
}

/** The directory in force, and those that come after it. */
export interface SharedDirectory {
  /** The one in force. */
  readonly current: () => DirectoryImage
  /** Tells of each one that comes to be in force; answers how to end that. */
  readonly follow: (told: (changed: DirectoryImage) => void) => () => void
}

/** A directory that never changes. */
export const fixedDirectory = (image: SharedArrayBuffer): SharedDirectory => ({
  current: () => ({ image, edition: undefined, since: undefined }),
  follow: () => () => {}
})
