/** What fails, made as small as it goes and written so that a shell can send it again. */
import { bytesOf, type FuzzRequest } from "./requests/FuzzRequest.ts"
import { fromValue, JsonFields, toText } from "./requests/JsonText.ts"

type Fails<A> = (candidate: A) => Promise<boolean>

/** Leaves out headers, parameters and fields as long as what is left fails, too. */
export const shrinkRequest = async (request: FuzzRequest, fails: Fails<FuzzRequest>): Promise<FuzzRequest> => {
  let smallest = request
  for (let i = 0; i < mostAttempts; ) {
    let found: FuzzRequest | undefined
    for (const candidate of smallerRequests(smallest)) {
      if (++i >= mostAttempts) break
      if (await fails(candidate)) {
        found = candidate
        break
      }
    }
    if (found === undefined) break
    smallest = found
  }
  return smallest
}

/** Leaves out pieces of the bytes, large ones first. */
export const shrinkBytes = async (bytes: Buffer, fails: Fails<Buffer>): Promise<Buffer> => {
  let smallest = bytes
  let attempts = 0
  for (let size = smallest.length >> 1; size >= 1 && attempts < mostAttempts; size >>= 1) {
    for (let at = 0; at < smallest.length && attempts < mostAttempts; ) {
      const candidate = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)])
      attempts++
      if (candidate.length > 0 && (await fails(candidate))) smallest = candidate
      else at += size
    }
  }
  return smallest
}

/** A command for a shell, long bodies cut in the middle. */
export const shellCommand = (bytes: Buffer): string => {
  const shown =
    bytes.length <= longest ? escaped(bytes) : `${escaped(bytes.subarray(0, longest))}…(${bytes.length} bytes)`
  return `printf '${shown}' | nc 127.0.0.1 3000`
}

/** The same of a request. */
export const requestCommand = (request: FuzzRequest): string => shellCommand(bytesOf(request))

const mostAttempts = 200
const longest = 2_000

const escaped = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => {
      if (byte === 0x0d) return "\\r"
      if (byte === 0x0a) return "\\n"
      const isPlain = byte >= 0x20 && byte < 0x7f && !`'\\%`.includes(String.fromCharCode(byte))
      return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`
    })
    .join("")

const smallerRequests = (request: FuzzRequest): ReadonlyArray<FuzzRequest> => [
  ...request.query.map((_, i) => ({ ...request, query: request.query.toSpliced(i, 1) })),
  ...request.headers.map((_, i) => ({ ...request, headers: request.headers.toSpliced(i, 1) })),
  ...(request.isChunked ? [{ ...request, isChunked: false }] : []),
  ...smallerBodies(request.body).map((body) => ({ ...request, body }))
]

const smallerBodies = (body: Buffer | undefined): ReadonlyArray<Buffer> => {
  if (body === undefined || body.length < 3) return []
  const parsed = readFields(body)
  if (parsed === undefined) return [body.subarray(0, body.length >> 1), body.subarray(body.length >> 1)]
  return parsed.fields.map((_, i) => Buffer.from(toText(new JsonFields(parsed.fields.toSpliced(i, 1)))))
}

const readFields = (body: Buffer): JsonFields | undefined => {
  try {
    const value = fromValue(JSON.parse(body.toString()))
    return value instanceof JsonFields ? value : undefined
  } catch {
    return undefined
  }
}
