/** Bytes that were a request, or several, before something happened to them on the way. */
import { bytesOf, type FuzzRequest } from "./FuzzRequest.ts"
import type { Random } from "./Random.ts"

/** @param make a request that is right, another one each time */
export const rawBytes = (random: Random, make: () => FuzzRequest): Buffer => {
  const parts = Array.from({ length: random.chance(70) ? 1 : 2 + random.below(4) }, () => bytesOf(make()))
  let bytes: Buffer = Buffer.concat(parts)
  for (let i = random.below(4); i > 0; i--) bytes = random.pick(mutations)(random, bytes)
  return bytes
}

type Mutation = (random: Random, bytes: Buffer) => Buffer

const splice = (bytes: Buffer, at: number, remove: number, insert: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)])

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1")

/** Damage is likeliest to matter in the head. */
const somewhere = (random: Random, bytes: Buffer): number => {
  const head = bytes.indexOf("\r\n\r\n")
  return random.below(Math.max(1, random.chance(80) && head > 0 ? head + 4 : bytes.length))
}

const flipBit: Mutation = (random, bytes) => {
  const at = somewhere(random, bytes)
  return splice(bytes, at, 1, Uint8Array.of((bytes[at] ?? 0) ^ (1 << random.below(8))))
}

const truncate: Mutation = (random, bytes) => bytes.subarray(0, somewhere(random, bytes))

const insertBytes: Mutation = (random, bytes) =>
  splice(bytes, somewhere(random, bytes), random.below(3), latin1(random.pick(fragments)))

const repeatPart: Mutation = (random, bytes) => {
  const at = somewhere(random, bytes)
  return splice(bytes, at, 0, bytes.subarray(at, at + random.below(200)))
}

/** Puts a line behind the request line, or behind any other. */
const insertLine: Mutation = (random, bytes) => {
  const ends: Array<number> = []
  const headEnd = bytes.indexOf("\r\n\r\n")
  for (let at = bytes.indexOf("\r\n"); at !== -1 && at <= headEnd; at = bytes.indexOf("\r\n", at + 2)) ends.push(at)
  return ends.length === 0 ? bytes : splice(bytes, random.pick(ends), 0, latin1(`\r\n${random.pick(lines)(random)}`))
}

/** Replaces an end of line, or all, by what some readers take for one. */
const changeLineEnds: Mutation = (random, bytes) => {
  const end = random.pick(["\n", "\r", "\r\r\n", "\n\r", "\r\n ", "\r\n\t", "\u0085", "\0\r\n"])
  if (random.chance(30)) return latin1(bytes.toString("latin1").replaceAll("\r\n", end))
  const ends = [...bytes.toString("latin1").matchAll(/\r\n/g)].map(({ index }) => index)
  return ends.length === 0 ? bytes : splice(bytes, random.pick(ends), 2, latin1(end))
}

const changeRequestLine: Mutation = (random, bytes) => {
  const end = bytes.indexOf("\r\n")
  const [method = "", target = "", version = ""] = bytes.toString("latin1", 0, Math.max(0, end)).split(" ")
  return splice(bytes, 0, Math.max(0, end), latin1(random.pick(requestLines)(method, target, version)))
}

const changeFraming: Mutation = (random, bytes) => {
  const replaced = bytes
    .toString("latin1")
    .replace(/\r\n(?:content-length|transfer-encoding): [^\r]*/, `\r\n${random.pick(framings)}`)
  return latin1(replaced)
}

const mutations: ReadonlyArray<Mutation> = [
  flipBit,
  flipBit,
  truncate,
  insertBytes,
  repeatPart,
  insertLine,
  insertLine,
  changeLineEnds,
  changeRequestLine,
  changeFraming
]

const fragments = [
  ...[
    "\r\n",
    "\n",
    "\r",
    "\0",
    " ",
    "\t",
    ":",
    ";",
    ",",
    "%",
    "\r\n\r\n",
    "\n\n",
    "\u00ff",
    "\x7f",
    "\x0b",
    "HTTP/1.1"
  ],
  ...[
    "GET / HTTP/1.1\r\n\r\n",
    "0\r\n\r\n",
    "transfer-encoding: chunked",
    "a".repeat(1_000),
    "\x16\x03\x01",
    "\xef\xbb\xbf"
  ]
]

const framings = [
  ...["content-length: 0", "content-length: 1", "content-length: -1", "content-length: +5", "content-length: 5, 5"],
  ...["content-length: 0x10", "content-length: 1e2", "content-length: 99999999999999999999", "content-length: 10 "],
  ...["content-length:", "content-length: 5\r\ncontent-length: 5", "content-length: 5\r\ncontent-length: 6"],
  ...["Content-Length: 4\r\nTransfer-Encoding: chunked", "transfer-encoding: chunked\r\ntransfer-encoding: identity"],
  ...["transfer-encoding: xchunked", "transfer-encoding: chunked, gzip", "transfer-encoding: gzip, chunked"],
  ...[
    "transfer-encoding : chunked",
    "transfer-encoding:\tchunked",
    "transfer-encoding: \x0bchunked",
    "transfer_encoding: chunked"
  ],
  ...["transfer-encoding:\r\n chunked", "transfer-encoding: Chunked", 'transfer-encoding: "chunked"', "x: y"]
]

const lines: ReadonlyArray<(random: Random) => string> = [
  (random) => random.pick(framings),
  (random) => `x: ${"a".repeat(random.below(20_000))}`,
  (random) => "x: a\r\n".repeat(1 + random.below(3_000)).trimEnd(),
  () => " folded",
  () => "\tfolded",
  () => "no colon",
  () => ": no name",
  () => "x y: a",
  () => "x\0: a",
  () => "x: a\0b",
  () => "host: other.example",
  () => "host: a, b",
  () => "connection: close",
  () => "connection: keep-alive, upgrade\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQCAAAAAAIAAAAA",
  () => "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x",
  () => "connection: content-length, x-api-key",
  () => "expect: 100-continue",
  () => "expect: \u00ff",
  () => "trailer: content-length",
  () => "x-request-id: a\u00ff",
  () => "__proto__: a",
  () => "constructor: a\r\ntoString: b"
]

const requestLines: ReadonlyArray<(method: string, target: string, version: string) => string> = [
  (method, target, version) => `${method} http://other.example${target} ${version}`,
  (method, target, version) => `${method} https://user:pass@[::1]:99${target} ${version}`,
  (method, target, version) => `${method} //${target} ${version}`,
  (method, target, version) => `${method} ftp://a${target} ${version}`,
  (method, _, version) => `${method} * ${version}`,
  (_, target, version) => `OPTIONS ${target} ${version}`,
  (_, __, version) => `OPTIONS * ${version}`,
  (_, target, version) => `CONNECT ${target} ${version}`,
  (_, target, version) => `TRACE ${target} ${version}`,
  (_, target, version) => `get ${target} ${version}`,
  (_, target, version) => `G\u00cbT ${target} ${version}`,
  (_, target, version) => `PRI ${target} ${version}`,
  (method, target) => `${method} ${target}`,
  (method, target) => `${method} ${target} HTTP/1.0`,
  (method, target) => `${method} ${target} HTTP/0.9`,
  (method, target) => `${method} ${target} HTTP/2.0`,
  (method, target) => `${method} ${target} HTTP/1.1 HTTP/1.1`,
  (method, target) => `${method} ${target} http/1.1`,
  (method, target, version) => `${method}\t${target}\t${version}`,
  (method, target, version) => `${method}  ${target} ${version}`,
  (method, target, version) => ` ${method} ${target} ${version}`,
  (method, target, version) => `${method} ${target}\u00e9 ${version}`,
  (method, target, version) => `${method} ${target}#fragment ${version}`,
  (method, target, version) => `${method} ${target}?${"a=1&".repeat(2_000)} ${version}`,
  (method, _target, version) => `${method} /${"../".repeat(30)}etc/passwd ${version}`
]
