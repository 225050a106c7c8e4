/**
 * The archive of the write-ahead log: a folder of pieces, each of which is a file that is never changed. A piece is within
 * one segment. When a segment is complete, one piece replaces those before it.
 */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { open, readdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import { decrypting, encrypting, temporaryKey } from "../backup/Encryption.ts"
import { syncFolder } from "../backup/SyncFolder.ts"
import { DamagedArchive } from "../backup/Tar.ts"

/** A part of the log, from one position to another, in bytes. */
export interface WalPiece {
  readonly timeline: number
  readonly start: number
  readonly end: number
  /** The file of the segment in the folder of the log. */
  readonly segment: string
  readonly file: string
}

/** The folder of the pieces, beside the backups. */
export const walFolderOf = (folder: string): string => join(folder, "wal")

/** All pieces of a timeline, by their start; of two with the same start the longer one is first. */
export const listPieces = async (folder: string, timeline: number): Promise<ReadonlyArray<WalPiece>> => {
  const names = existsSync(folder) ? await readdir(folder) : []
  return names
    .flatMap((name) => {
      const [, segment = "", start = "", end = ""] = pieceForm.exec(name) ?? []
      if (Number.parseInt(segment.slice(0, 8), 16) !== timeline) return []
      return [{ timeline, segment, start: parseHex(start), end: parseHex(end), file: join(folder, name) }]
    })
    .sort((a, b) => a.start - b.start || b.end - a.end)
}

const parseHex = (text: string): number => Number.parseInt(text.replace("_", ""), 16)
/** `00000A_00000028`: in one, eleven digits in a row would be hidden in messages, as those of a person's number are. */
const formatHex = (position: number): string =>
  position
    .toString(16)
    .toUpperCase()
    .padStart(14, "0")
    .replace(/(.{8})$/, "_$1")
const pieceForm = /^([0-9A-F]{24})\.([0-9A-F]{6}_[0-9A-F]{8})-([0-9A-F]{6}_[0-9A-F]{8})\.gz(\.age)?$/

/** Writes a piece, and reads it back. Returns when it is on the disk. */
export const writePiece = async (
  folder: string,
  { end, segment, start }: Pick<WalPiece, "end" | "segment" | "start">,
  content: Buffer,
  recipients: ReadonlyArray<string>
): Promise<void> => {
  const name = `${segment}.${formatHex(start)}-${formatHex(end)}.gz`
  const unfinished = join(folder, `.unfinished-${process.pid}`)
  const packed = await promisify(gzip)(content, { level: 1 })
  // The private keys are elsewhere, so the piece is read back with a key that is forgotten afterwards.
  const key = recipients.length === 0 ? undefined : await temporaryKey()
  const sealed = key === undefined ? packed : await buffer(encrypting([...recipients, key.recipient])(one(packed)))
  try {
    {
      await using file = await open(unfinished, "w", 0o600)
      await file.writeFile(sealed)
      await file.sync()
    }
    const read = await unseal(await readFile(unfinished), key === undefined ? [] : [key.identity])
    if (sha256(read) !== sha256(content)) throw new DamagedArchive()
    await rename(unfinished, join(folder, key === undefined ? name : `${name}.age`))
    await syncFolder(folder)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** The part of the log in a piece. Rejects with `DamagedArchive`. */
export const readPiece = async ({ end, file, start }: WalPiece, identities: ReadonlyArray<string>): Promise<Buffer> => {
  if (file.endsWith(".age") && identities.length === 0) {
    throw new DamagedArchive("it is encrypted: name the file of its key with --identity")
  }
  const content = await unseal(await readFile(file), file.endsWith(".age") ? identities : [])
  if (content.length !== end - start) throw new DamagedArchive()
  return content
}

const unseal = async (sealed: Buffer, identities: ReadonlyArray<string>): Promise<Buffer> => {
  const packed = identities.length === 0 ? sealed : await buffer(decrypting(one(sealed), identities))
  try {
    return await promisify(gunzip)(packed)
  } catch {
    throw new DamagedArchive()
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex")
