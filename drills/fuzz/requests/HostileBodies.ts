/** Bodies that are no small JSON object in UTF-8, whatever the endpoint. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import type { FuzzRequest, Pair } from "./FuzzRequest.ts"
import type { Operation } from "./Interface.ts"
import { validRequest } from "./OperationRequests.ts"
import type { Sources } from "./SchemaValues.ts"

/** A request of an operation that takes a body, with one of them in its place. */
export const hostileBodyRequest = (sources: Sources, operations: ReadonlyArray<Operation>): FuzzRequest => {
  const { random } = sources
  const request = validRequest(sources, random.pick(operations.filter(({ body }) => body !== undefined)))
  const { body, headers = [] } = random.pick(random.chance(3) ? large : small)(request.body ?? Buffer.from("{}"))
  const replaced = new Set(headers.map(([name]) => name))
  return {
    ...request,
    headers: [...request.headers.filter(([name]) => !replaced.has(name)), ...headers],
    body,
    isChunked: random.chance(20)
  }
}

interface HostileBody {
  readonly body: Buffer
  readonly headers?: ReadonlyArray<Pair>
}

type MakeBody = (valid: Buffer) => HostileBody

const text =
  (body: string): MakeBody =>
  () => ({ body: Buffer.from(body) })

const withType =
  (type: string, make: (valid: Buffer) => Buffer): MakeBody =>
  (valid) => ({
    body: make(valid),
    headers: [["content-type", type]]
  })

const withEncoding =
  (encoding: string, make: (valid: Buffer) => Uint8Array): MakeBody =>
  (valid) => ({
    body: Buffer.from(make(valid)),
    headers: [["content-encoding", encoding]]
  })

const json = "application/json"
const bomb = gzipSync(Buffer.alloc(20_000_000))

const small: ReadonlyArray<MakeBody> = [
  text(""),
  text(" ".repeat(60_000)),
  text("\n"),
  text("[".repeat(60_000)),
  text("[".repeat(32_000) + "]".repeat(32_000)),
  text('{"a":'.repeat(10_000)),
  text(`{"name":${"[".repeat(30_000)}${"]".repeat(30_000)}}`),
  text(`{"name":${"9".repeat(60_000)}}`),
  text(`{"name":"${"\\u0000".repeat(10_000)}"}`),
  text(`{${Array.from({ length: 6_000 }, (_, i) => `"${i}":1`).join(",")}}`),
  text(`{${Array.from({ length: 4_000 }, (_, i) => `"k${i * 65_537}":1`).join(",")}}`),
  text(`[${"{},".repeat(20_000)}{}]`),
  text(`{"name":"a","name":"b"}`),
  text(`{"n\\u0061me":"a","name":"b"}`),
  text(`${'"'.repeat(30_001)}`),
  text(`"${"\\\\".repeat(30_000)}`),
  (valid) => ({ body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), valid]) }),
  (valid) => ({ body: Buffer.concat([valid, valid]) }),
  (valid) => ({ body: Buffer.concat([valid, Buffer.from([0])]) }),
  (valid) => ({ body: Buffer.concat([valid.subarray(0, -1), Buffer.from([0xff, 0x7d])]) }),
  () => ({ body: Buffer.from([0x22, 0xc0, 0xaf, 0x22]) }),
  () => ({ body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]) }),
  () => ({ body: Buffer.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]) }),
  (valid) => ({ body: Buffer.from(valid.toString(), "utf16le") }),
  withType(`${json}; charset=utf-16`, (valid) => Buffer.from(valid.toString(), "utf16le")),
  withType(`${json}; charset=iso-8859-1`, (valid) => Buffer.from(valid.toString(), "latin1")),
  withType(`${json}; charset=utf-7`, () => Buffer.from("+AHs-+AH0-")),
  withType("multipart/form-data; boundary=b", (valid) =>
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${valid.toString()}\r\n--b--\r\n`)
  ),
  withType("application/x-www-form-urlencoded", () => Buffer.from("name=a&__proto__[admin]=1")),
  withType("text/plain", (valid) => valid),
  withType("application/cbor", () => Buffer.from([0xa1, 0x61, 0x61, 1])),
  withEncoding("gzip", gzipSync),
  withEncoding("deflate", deflateSync),
  withEncoding("br", (valid) => brotliCompressSync(valid)),
  withEncoding("gzip", () => bomb),
  withEncoding("gzip, gzip, br", (valid) => valid),
  withEncoding("identity", (valid) => valid),
  withEncoding("", (valid) => valid)
]

/** Above what is taken. */
const large: ReadonlyArray<MakeBody> = [
  text(" ".repeat(2 ** 20)),
  text("[".repeat(100_000)),
  text("[".repeat(100_000) + "]".repeat(100_000)),
  text(`{"name":"${"a".repeat(65_536)}"}`),
  text(`[${"9".repeat(1_000_000)}]`),
  (valid) => ({ body: Buffer.concat([valid, Buffer.alloc(Math.max(0, 65_537 - valid.length), " ")]) })
]
