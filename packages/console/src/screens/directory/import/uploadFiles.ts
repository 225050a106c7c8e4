/** Sends the two files of an import to the service, in parts. */
import { importLimits } from "@postcode/gateway/InputLimits"
import { Problem } from "../../../client/Problem.ts"
import { call } from "../../../state/session.ts"
import type { Import } from "./useImport.ts"

/** The files as the operator chose them. */
export interface ChosenFiles {
  readonly places: File
  readonly units: File
}

/** Called with the number of bytes that have arrived. */
export type OnSent = (sent_bytes: number) => void

/** Bytes of a part: small enough for a slow connection. */
const part_bytes = importLimits.piece_bytes * importLimits.pieces

/**
 * Opens an import and sends both files. If it fails or is aborted, the import is cancelled, so that nothing is left.
 *
 * @throws Problem
 */
export const uploadFiles = async (files: ChosenFiles, signal: AbortSignal, onSent: OnSent): Promise<Import> => {
  const chosen = (file: File) => ({ name: file.name, size_bytes: file.size })
  const body = { places: chosen(files.places), units: chosen(files.units) }
  // Not aborted: without its answer, nobody could cancel what was opened.
  let open: Import = await call("POST /v1/admin/directory/import", { body })
  const { id } = open
  // The page may be closed: only this request still goes out then.
  const onClose = () => void fetch(`/v1/admin/directory/import/${id}`, { method: "DELETE", keepalive: true })
  addEventListener("pagehide", onClose)
  try {
    for (const file of ["places", "units"] as const) {
      for (let offset = 0; offset < files[file].size; offset += part_bytes) {
        signal.throwIfAborted()
        const pieces = await piecesOf(files[file], offset)
        open = await sendAgain(signal, () =>
          call("POST /v1/admin/directory/import/:id/parts", { params: { id }, body: { file, offset, pieces } }, signal)
        )
        onSent(open.places.received_bytes + open.units.received_bytes)
      }
    }
    return open
  } catch (error) {
    await call("DELETE /v1/admin/directory/import/:id", { params: { id } }).catch(() => {})
    throw error
  } finally {
    removeEventListener("pagehide", onClose)
  }
}

const maxAttempts = 6

/** A part can be sent again. */
const sendAgain = async (signal: AbortSignal, send: () => Promise<Import>): Promise<Import> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      const isTemporary = error instanceof Problem && [0, 429, 503].includes(error.status)
      if (!isTemporary || attempt === maxAttempts || signal.aborted) throw error
      await pause(1000 * (error.retryAfter_s ?? 2 ** (attempt - 1)), signal)
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

const piecesOf = async (file: File, offset: number): Promise<ReadonlyArray<string>> => {
  const bytes = await bytesOf(file, offset)
  const pieces: Array<string> = []
  for (let at = 0; at < bytes.length; at += importLimits.piece_bytes) {
    pieces.push(base64Of(bytes.subarray(at, at + importLimits.piece_bytes)))
  }
  return pieces
}

const bytesOf = async (file: File, offset: number): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await file.slice(offset, offset + part_bytes).arrayBuffer())
  } catch {
    const message = `${file.name} was changed or moved while it was read: choose it again`
    throw new Problem({ status: 400, code: "invalid_parameter", message })
  }
}

const base64Of = (bytes: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += 4_096) text += String.fromCharCode(...bytes.subarray(at, at + 4_096))
  return btoa(text)
}
