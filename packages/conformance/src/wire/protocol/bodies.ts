/** Bodies are read strictly: JSON in UTF-8, each key once, at most 64 KiB. */
import { describe, expect, it } from "vitest"
import type { Message } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Received } from "../Received.ts"

const segments = { state: "LA", lga: "12", district: "A03", area: "BG", unit: "07" }
const text = JSON.stringify(segments)
const target = "/v1/assembly/assemble"
const maximum_bytes = 64 * 1024

export const bodies = (world: World): void => {
  const send: Send = (body, headers = {}) =>
    world.client.send({ method: "POST", target, headers: { "content-type": "application/json", ...headers }, body })

  describe("bodies", () => {
    mediaTypes(world, send)
    malformed(send)
    sizes(send)
    longBodies(world, send)
    unknownFields(world, send)
  })
}

type Send = (body: NonNullable<Message["body"]>, headers?: Readonly<Record<string, string>>) => Promise<Received>

const mediaTypes = (world: World, send: Send): void => {
  const taken = [
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'Application/JSON ; Charset = "utf-8"',
    "application/json;"
  ]
  it.each(taken)("Content-Type %s is accepted", async (type) => {
    expect((await send(text, { "content-type": type })).status).toBe(200)
  })

  const refused = [
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=a",
    "application/jsonp",
    "application/json-patch+json",
    "application/vnd.api+json",
    "text/json",
    "application/json, text/plain",
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    "application/json; charset=utf-8; charset=utf-16"
  ]
  it.each(refused)("Content-Type %s is 415", async (type) => {
    expectFailure(await send(text, { "content-type": type }), "415 unsupported_media_type")
  })

  it("no Content-Type is 415", async () => {
    const received = await world.client.send({ method: "POST", target, body: text })
    expectFailure(received, "415 unsupported_media_type")
  })

  it.each(["gzip", "br", "deflate", "identity, gzip", "x"])("Content-Encoding %s is 415", async (encoding) => {
    expectFailure(await send(text, { "content-encoding": encoding }), "415 unsupported_media_type")
  })

  it("Content-Encoding identity is accepted", async () => {
    expect((await send(text, { "content-encoding": "identity" })).status).toBe(200)
  })
}

const malformed = (send: Send): void => {
  const bytes = (...values: ReadonlyArray<number>) => Uint8Array.from(values)
  const notJson: ReadonlyArray<readonly [string, string | Uint8Array]> = [
    ["an empty one", ""],
    ["white space", " \n"],
    ["no JSON", "state=LA"],
    ["cut short", text.slice(0, -1)],
    ["with something behind it", `${text}x`],
    ["with a comment", `${text}//`],
    ["with a comma too many", text.replace("}", ",}")],
    ["in single quotes", text.replaceAll('"', "'")],
    ["with NaN", text.replace('"LA"', "NaN")],
    ["with a bare control character", text.replace("LA", "L\u0001")],
    ["in UTF-16 with its mark", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["in UTF-16 without one", Buffer.from(text, "utf16le")],
    ["in Latin-1", Buffer.from(text.replace("LA", "\u00e9"), "latin1")],
    ["with an overlong encoding", Buffer.concat([Buffer.from('{"a":"'), bytes(0xc0, 0xaf), Buffer.from('"}')])],
    ["with a lone surrogate", Buffer.concat([Buffer.from('{"a":"'), bytes(0xed, 0xa0, 0x80), Buffer.from('"}')])],
    ["cut within a character", Buffer.concat([Buffer.from('{"a":"'), bytes(0xe2, 0x82)])],
    ["a key twice", text.replace("{", '{"state":"FC",')],
    ["a key twice, once escaped", text.replace("{", '{"\\u0073tate":"FC",')],
    ["a key twice further down", `{"a":[{"b":1,"b":2}],${text.slice(1)}`],
    ["an array", "[]"],
    ["a string", '"LA"'],
    ["a number", "1"],
    ["null", "null"],
    ["true", "true"]
  ]
  it.each(notJson)("%s is 400 invalid_body", async (_, body) => {
    expectFailure(await send(body), "400 invalid_body")
  })

  it("a byte order mark before the JSON is ignored", async () => {
    expect((await send(`\ufeff${text}`)).status).toBe(200)
  })

  it("a missing field is 400 invalid_parameter and named", async () => {
    expectFailure(await send("{}"), "400 invalid_parameter", "state")
  })

  it("nesting 30,000 deep is 400", async () => {
    expectFailure(await send("[".repeat(30_000) + "]".repeat(30_000)), "400 invalid_body")
    const nested = `{"state":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`
    expectFailure(await send(nested), "400 invalid_parameter", "state")
  })
}

const sizes = (send: Send): void => {
  const padded = (bytes: number) => text + " ".repeat(bytes - text.length)

  it("exactly 64 KiB is accepted", async () => {
    expect((await send(padded(maximum_bytes))).status).toBe(200)
  })

  it("exactly 64 KiB in chunks is accepted", async () => {
    const half = Buffer.from(padded(maximum_bytes))
    const received = await send([half.subarray(0, maximum_bytes / 2), half.subarray(maximum_bytes / 2)])
    expect(received.status).toBe(200)
  })

  it("one byte more is 413", async () => {
    expectFailure(await send(padded(maximum_bytes + 1)), "413 payload_too_large", "64 KiB")
  })

  it("one byte more in chunks is 413", async () => {
    const body = Buffer.from(padded(maximum_bytes + 1))
    expectFailure(await send([body.subarray(0, maximum_bytes), body.subarray(maximum_bytes)]), "413 payload_too_large")
  })

  it("the size counts bytes, not characters", async () => {
    const body = JSON.stringify({ ...segments, more: "\u20ac".repeat(maximum_bytes / 3) })
    expect(body.length).toBeLessThan(maximum_bytes)
    expectFailure(await send(body), "413 payload_too_large")
  })
}

const longBodies = (world: World, send: Send): void => {
  const head = (length: number) =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`
  const asked = [{ method: "POST", target }]

  it("8 MB is 413 and the answer arrives, with and without a length", async () => {
    expectFailure(await send("x".repeat(8_000_000)), "413 payload_too_large")
    const chunks = Array.from({ length: 128 }, () => Buffer.alloc(65_536, 32))
    expectFailure(await send(chunks), "413 payload_too_large")
  })

  it("8 MB from a client that reads only after writing everything is 413, and the answer arrives", async () => {
    const bytes = Buffer.concat([Buffer.from(`${head(8_000_000)}\r\n`), Buffer.alloc(8_000_000, 32)])
    const [received, ...more] = await world.client.sendRaw({ bytes, asked, readsLate: true })
    expectFailure(received as Received, "413 payload_too_large")
    expect(more).toEqual([])
  })

  it("a Content-Length far above the maximum is 413 at once, and the connection is closed", async () => {
    const [received] = await world.client.sendRaw({ bytes: `${head(1e12)}\r\n{`, asked })
    expectFailure(received as Received, "413 payload_too_large")
    expect(received?.headers.connection).toBe("close")
  })

  it("an endless chunked stream is 413, and the connection is closed", async () => {
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`
    const start = head(0).replace(/Content-Length.*/, "Transfer-Encoding: chunked\r\n")
    const [received] = await world.client.sendRaw({ bytes: start + chunk.repeat(400), asked })
    expectFailure(received as Received, "413 payload_too_large")
  })
}

const unknownFields = (world: World, send: Send): void => {
  it("an unknown field is ignored", async () => {
    const received = await send(text.replace("{", '{"more":{"a":[1]},"__proto__":1,"constructor":2,'))
    expect(dataOf(received)).toEqual({
      postcode: "LA-12-A03-BG-07",
      display: "LA 12 A03 BG 07",
      compact: "LA12A03BG07"
    })
  })

  it("the body of a request to an endpoint without one is ignored", async () => {
    const received = await world.client.send({ method: "GET", target: "/v1/search/autocomplete", body: "{" })
    expect(received.status).toBe(200)
  })

  it("a body in chunks that split its characters is read as a whole", async () => {
    const body = Buffer.from(JSON.stringify({ ...segments, more: "\u20ac\u{1f600}" }))
    const received = await send(Array.from(body, (byte) => Uint8Array.of(byte)))
    expect(received.status).toBe(200)
  })
}
