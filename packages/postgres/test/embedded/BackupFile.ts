/** Backups for tests, made and altered entry by entry. */
import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { gunzipSync, gzipSync } from "node:zlib"
import { aboutName, checksumLine, checksumsName, clusterName, format } from "../../src/embedded/backup/BackupFormat.ts"
import { block_bytes, paddingOf, readTarHeader, tarEnd, tarHeader } from "../../src/embedded/backup/Tar.ts"
import { postgresVersion } from "../../src/embedded/PinnedPrograms.ts"

/** Names of folders end with a slash. */
export type BackupEntry = readonly [name: string, content: Buffer | string]

/** Chunks of an entry, without its checksum. */
export const tarEntry = (name: string, content: Buffer | string): ReadonlyArray<Buffer> => {
  const bytes = Buffer.from(content as string)
  return [tarHeader({ name, size: bytes.length }, new Date(0)), bytes, Buffer.alloc(paddingOf(bytes.length))]
}

/** Writes a backup with correct checksums. */
export const writeBackup = async (file: string, entries: ReadonlyArray<BackupEntry>): Promise<void> => {
  const sums = entries
    .filter(([name]) => !name.endsWith("/"))
    .map(([name, content]) => checksumLine(name, createHash("sha256").update(content).digest("hex")))
  const all = [...entries, [checksumsName, sums.join("")] as const]
  const archive = Buffer.concat([...all.flatMap(([name, content]) => tarEntry(name, content)), tarEnd])
  await writeFile(file, gzipSync(archive, { level: 1 }))
}

/** All entries but the checksums. */
export const readBackup = async (file: string): Promise<ReadonlyArray<BackupEntry>> => {
  const archive = gunzipSync(await readFile(file))
  const entries: Array<BackupEntry> = []
  for (let position = 0; ; ) {
    const entry = readTarHeader(archive.subarray(position, position + block_bytes))
    if (entry === undefined || entry.name === checksumsName) return entries
    const { name, size } = entry
    position += block_bytes
    entries.push([name, archive.subarray(position, position + size)])
    position += size + paddingOf(size)
  }
}

/** The first entry of a backup. */
export const about: BackupEntry = [
  aboutName,
  JSON.stringify({ format, postgres: postgresVersion, at: "2026-01-31T12:00:00.000Z" })
]

/** An entry of PostgreSQL's folder. */
export const clusterEntry = (name: string, content: Buffer | string = ""): BackupEntry => [clusterName + name, content]
