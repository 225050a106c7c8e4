/**
 * The format of a backup: a gzipped tar archive. It begins with what it is, and ends with the SHA-256 of each file, in the
 * form of `sha256sum`.
 */

export const format = "postcode-backup-1"

/** The first file. */
export const aboutName = "backup.json"

/** The content of the first file. */
export interface AboutBackup {
  readonly format: string
  /** The version of PostgreSQL. */
  readonly postgres: string
  /** When the backup began, in ISO 8601. */
  readonly at: string
}

/** The most files and folders. */
export const maxEntries = 200_000

/** The folder of PostgreSQL's files. */
export const clusterName = "postgres/"

/** The secrets of the service. */
export const secretsName = "secrets.env"

/** The last file. */
export const checksumsName = "SHA256SUMS"

/** A line of the last file. */
export const checksumLine = (name: string, sha256: string): string => `${sha256}  ${name}\n`
