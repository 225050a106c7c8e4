/**
 * Encryption of backups by age (https://age-encryption.org): to recipients, whose private keys are elsewhere. The library
 * is loaded only if it is used.
 */
import { open, readFile } from "node:fs/promises"
import { ReadableStream } from "node:stream/web"
import { codeOf, EmbeddedFailure, messageOf } from "../EmbeddedFailure.ts"
import { DamagedArchive } from "./Tar.ts"

type Bytes = AsyncIterable<Uint8Array>

/** Encrypts a stream so that each of the recipients can decrypt it. */
export const encrypting = (recipients: ReadonlyArray<string>) =>
  async function* (source: Bytes): AsyncGenerator<Uint8Array> {
    const { Encrypter } = await import("age-encryption")
    const encrypter = new Encrypter()
    for (const recipient of recipients) addRecipient(encrypter, recipient)
    yield* readingOf(await encrypter.encrypt(ReadableStream.from(source) as never))
  }

const addRecipient = (encrypter: { readonly addRecipient: (text: string) => void }, recipient: string): void => {
  try {
    encrypter.addRecipient(recipient)
  } catch {
    throw new EmbeddedFailure(`${recipient} is not a recipient of age: compare it with the output of age-keygen`)
  }
}

/** Decrypts a stream. Rejects with `DamagedArchive`, or an error of the source. */
export const decrypting = async function* (
  source: Bytes,
  identities: ReadonlyArray<string>
): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import("age-encryption")
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    yield* readingOf(await decrypter.decrypt(ReadableStream.from(source) as never))
  } catch (error) {
    if (error instanceof DamagedArchive || codeOf(error) !== undefined) throw error
    throw new DamagedArchive(
      /^no identity matched/.test(messageOf(error))
        ? "it is encrypted to another recipient than that of --identity"
        : undefined
    )
  }
}

/** The types of the library are those of browsers, whose streams are not iterable. */
const readingOf = (stream: unknown): Bytes => stream as Bytes

/** Whether a file is encrypted. */
export const isEncrypted = async (file: string): Promise<boolean> => {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0)
  return buffer.toString("latin1", 0, bytesRead) === magic
}

const magic = "age-encryption.org/v1\n"

/** The identities in a file, as age-keygen writes it. */
export const readIdentities = async (file: string): Promise<ReadonlyArray<string>> => {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new EmbeddedFailure(`${file} cannot be read: ${messageOf(error)}`)
  })
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"))
  // No line is repeated in a message: it may be a secret.
  if (lines.length === 0 || !lines.every((line) => identityForm.test(line))) {
    throw new EmbeddedFailure(`${file} is not a key file: expected a line that begins with AGE-SECRET-KEY-1`)
  }
  const { Decrypter } = await import("age-encryption")
  try {
    for (const line of lines) new Decrypter().addIdentity(line)
  } catch {
    throw new EmbeddedFailure(`${file} is not a key file: its key has a mistake`)
  }
  return lines
}

const identityForm = /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/

/** A key for one run, which reads back what it has encrypted to others. */
export const temporaryKey = async (): Promise<{ readonly identity: string; readonly recipient: string }> => {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption")
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}
