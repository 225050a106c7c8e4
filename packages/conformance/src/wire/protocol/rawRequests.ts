/**
 * Bytes that are not a request, or an unusual one: they are answered in the envelope, and the service keeps working.
 */
import { connect } from "node:net"
import { Units } from "@postcode/gateway/directory/Units"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { Served, World } from "../../world/World.ts"
import { parseResponses } from "../RawResponses.ts"
import { expectFailure, outcomeOf, type Received } from "../Received.ts"

const live = "/v1/health/live"
const assemble = "POST /v1/assembly/assemble HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
const body = '{"state":"LA","lga":"12","district":"A03","area":"BG","unit":"07"}'
const crlf = "\r\n\r\n"

export const rawRequests = (world: World): void => {
  describe("bytes on a socket", () => {
    afterEach(async () => {
      expect((await world.client.get(live)).status).toBe(200)
    })
    garbage(world)
    oddRequests(world)
    pipelines(world)
    paidPipelines(world)
    headersOfRefusals(world)
    brokenConnections(world)
  })
}

/** Bytes that no parser accepts as a request. */
const noRequests: Readonly<Record<string, string | Uint8Array>> = {
  "a line of text": `hello${crlf}`,
  "a TLS hello": Uint8Array.from([0x16, 0x03, 0x01, 0x02, 0, 1, 0, 1, 0xfc, 3, 3]),
  "zero bytes": new Uint8Array(64),
  "the preface of HTTP/2": `PRI * HTTP/2.0${crlf}SM${crlf}`,
  "an unknown method": `FETCH ${live} HTTP/1.1\r\nHost: a${crlf}`,
  "a method in lower case": `get ${live} HTTP/1.1\r\nHost: a${crlf}`,
  "no version": `GET ${live}${crlf}`,
  "HTTP/0.9": `GET ${live} HTTP/0.9\r\nHost: a${crlf}`,
  "HTTP/2.0": `GET ${live} HTTP/2.0\r\nHost: a${crlf}`,
  "no version, and a request behind it": `GET ${live}${crlf}GET ${live} HTTP/1.1\r\nHost: a${crlf}`,
  "an unknown version": `GET ${live} HTTP/7.3\r\nHost: a${crlf}`,
  "a space in the path": `GET /v1/a b HTTP/1.1\r\nHost: a${crlf}`,
  "a header without a colon": `GET ${live} HTTP/1.1\r\nHost${crlf}`,
  "a space before the colon": `GET ${live} HTTP/1.1\r\nHost : a${crlf}`,
  "a header with a zero byte": `GET ${live} HTTP/1.1\r\nHost: a\0b${crlf}`,
  "a folded header": `GET ${live} HTTP/1.1\r\nHost: a\r\n b${crlf}`,
  "a header line of 20 KB": `GET ${live} HTTP/1.1\r\nX: ${"a".repeat(20_000)}${crlf}`,
  "headers of 100 KB": `GET ${live} HTTP/1.1\r\n${"X: aaaaaaaaaa\r\n".repeat(7_000)}\r\n`,
  "5 MB of a method": "A".repeat(5_000_000),
  "a path of 100 KB": `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: a${crlf}`
}

/** Requests that parsers read differently, which allows request smuggling behind a proxy. */
const ambiguousRequests: Readonly<Record<string, string>> = {
  "a length that is no number": `${assemble}Content-Length: ten${crlf}${body}`,
  "a negative length": `${assemble}Content-Length: -1${crlf}${body}`,
  "two lengths that differ": `${assemble}Content-Length: 5\r\nContent-Length: 6${crlf}${body}`,
  "a length and chunks": `${assemble}Content-Length: 5\r\nTransfer-Encoding: chunked${crlf}0${crlf}`,
  "a transfer encoding that is not known": `${assemble}Transfer-Encoding: gzip${crlf}${body}`,
  "a transfer encoding that is not known, where no body is read": `GET ${live} HTTP/1.1\r\nTransfer-Encoding: d${crlf}`,
  "chunks that are compressed": `GET ${live} HTTP/1.1\r\nTransfer-Encoding: gzip, chunked${crlf}0${crlf}`,
  "two transfer encodings": `GET ${live} HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked${crlf}0${crlf}`,
  "a transfer encoding in quotes": `GET ${live} HTTP/1.1\r\nTransfer-Encoding: "chunked"${crlf}0${crlf}`,
  "chunks in HTTP/1.0": `${assemble.replace("1.1", "1.0")}Transfer-Encoding: chunked${crlf}0${crlf}`,
  "a space between Transfer-Encoding and its colon": `${assemble}Transfer-Encoding : chunked${crlf}0${crlf}`,
  "a folded Transfer-Encoding": `${assemble}Transfer-Encoding:\r\n chunked${crlf}0${crlf}`,
  "a vertical tab before the transfer encoding": `${assemble}Transfer-Encoding: \x0bchunked${crlf}0${crlf}`,
  "chunks and then a length": `${assemble}Transfer-Encoding: chunked\r\nContent-Length: 5${crlf}0${crlf}`,
  "two lengths that are the same": `${assemble}Content-Length: 5\r\nContent-Length: 5${crlf}${body}`,
  "two lengths in one header": `${assemble}Content-Length: 5, 5${crlf}${body}`,
  "a length with a sign": `${assemble}Content-Length: +5${crlf}${body}`,
  "a length in hexadecimal": `${assemble}Content-Length: 0x41${crlf}${body}`,
  "a length beyond all numbers": `${assemble}Content-Length: 99999999999999999999${crlf}${body}`,
  "a chunk size beyond all numbers": `${assemble}Transfer-Encoding: chunked${crlf}fffffffffffffffff\r\n${body}${crlf}`,
  "a chunk size with a sign": `${assemble}Transfer-Encoding: chunked${crlf}-1\r\n${body}${crlf}`,
  "a chunk size in another notation": `${assemble}Transfer-Encoding: chunked${crlf}0x41\r\n${body}${crlf}`,
  "a chunk whose line ends in a bare LF": `${assemble}Transfer-Encoding: chunked${crlf}41\n${body}\r\n0${crlf}`,
  "a chunk extension with a bare LF": `${assemble}Transfer-Encoding: chunked${crlf}41;a\n${body}\r\n0${crlf}`,
  "a trailer that is no header": `${assemble}Transfer-Encoding: chunked${crlf}0\r\nno trailer${crlf}`,
  "lines that end in a bare LF": `GET ${live} HTTP/1.1\nHost: a\n\n`,
  "lines that end in a bare CR": `GET ${live} HTTP/1.1\rHost: a\r\r`,
  "a header line that ends in a bare LF": `GET ${live} HTTP/1.1\r\nHost: a\nX: b${crlf}`,
  "a bare CR in a header": `GET ${live} HTTP/1.1\r\nHost: a\rX: b${crlf}`,
  "a header without a name": `GET ${live} HTTP/1.1\r\n: a${crlf}`,
  "a header with a space in its name": `GET ${live} HTTP/1.1\r\nX Y: a${crlf}`,
  "a chunk size that is no number": `${assemble}Transfer-Encoding: chunked${crlf}zz${crlf}`,
  "a chunk that is longer than it says": `${assemble}Transfer-Encoding: chunked${crlf}2\r\n${body}${crlf}`
}

/** RFC 9112, section 3.2: proxies and caches may route or store such a request under another host. */
const ambiguousHosts: Readonly<Record<string, string>> = {
  "no Host": `GET ${live} HTTP/1.1\r\nX: a${crlf}`,
  "no Host, and a body": `POST /v1/assembly/assemble HTTP/1.1\r\nContent-Length: 1000${crlf}${body}`,
  "no Host, and an expectation": `GET ${live} HTTP/1.1\r\nExpect: 100-continue${crlf}`,
  "no Host, and an upgrade": `GET ${live} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c${crlf}`,
  "no Host, and an absolute target": `GET http://gateway.example${live} HTTP/1.1\r\nX: a${crlf}`,
  "two Hosts": `GET ${live} HTTP/1.1\r\nHost: a\r\nHost: b${crlf}`,
  "two Hosts that are the same": `GET ${live} HTTP/1.1\r\nHost: a\r\nhost: a${crlf}`,
  "two Hosts of which one is empty": `GET ${live} HTTP/1.1\r\nHost: a\r\nHOST:${crlf}`,
  "two Hosts in HTTP/1.0": `GET ${live} HTTP/1.0\r\nHost: a\r\nHost: b${crlf}`,
  "a second Host after 2,500 other headers": `GET ${live} HTTP/1.1\r\nHost: a\r\n${"a:\r\n".repeat(2_500)}Host: b${crlf}`,
  "an empty Host": `GET ${live} HTTP/1.1\r\nHost:${crlf}`,
  "a port alone as Host": `GET ${live} HTTP/1.1\r\nHost: :80${crlf}`,
  "a Host with a user": `GET ${live} HTTP/1.1\r\nHost: a@b${crlf}`,
  "a Host with a path": `GET ${live} HTTP/1.1\r\nHost: a/b${crlf}`,
  "a Host with a scheme": `GET ${live} HTTP/1.1\r\nHost: http://a${crlf}`,
  "a Host with a space": `GET ${live} HTTP/1.1\r\nHost: a b${crlf}`,
  "a list of Hosts": `GET ${live} HTTP/1.1\r\nHost: a, b${crlf}`,
  "a Host whose port is no number": `GET ${live} HTTP/1.1\r\nHost: a:b${crlf}`,
  "a Host in open brackets": `GET ${live} HTTP/1.1\r\nHost: [::1${crlf}`,
  "a Host above ASCII": `GET ${live} HTTP/1.1\r\nHost: \u00e9${crlf}`
}

const garbage = (world: World): void => {
  for (const [what, broken] of Object.entries({ ...noRequests, ...ambiguousRequests, ...ambiguousHosts })) {
    it(`${what} is 400, the connection is closed, and nothing after it is answered`, async () => {
      const bytes = Buffer.concat([Buffer.from(broken), Buffer.from(`GET ${live} HTTP/1.1\r\nHost: a${crlf}`)])
      const [received, ...more] = await world.client.sendRaw({ bytes, readsLate: true })
      expect(outcomeOf(received as Received)).toBe("400 invalid_parameter")
      expect(received?.headers.connection).toBe("close")
      expect(more).toEqual([])
    })
  }

  it("a body that ends before its length is 400", async () => {
    const bytes = `${assemble}Content-Length: 1000${crlf}${body}`
    const [received] = await world.client.sendRaw({ bytes, half: true })
    expectFailure(received as Received, "400 invalid_parameter")
  })

  it("CONNECT is 405: the service is not a proxy", async () => {
    for (const more of ["", "bytes for the tunnel", "x".repeat(5_000_000)]) {
      const bytes = `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com${crlf}${more}`
      const [received] = await world.client.sendRaw({ bytes, asked: [{ method: "CONNECT" }], readsLate: true })
      expectFailure(received as Received, "405 method_not_allowed")
      expect(received?.headers.connection).toBe("close")
    }
  })
}

const oddRequests = (world: World): void => {
  const asked = [{ method: "GET", target: live }]
  const inputs: Readonly<Record<string, string>> = {
    "HTTP/1.0": `GET ${live} HTTP/1.0${crlf}`,
    "HTTP/1.0 with a Host": `GET ${live} HTTP/1.0\r\nHost: a${crlf}`,
    "a name and a port as Host": `GET ${live} HTTP/1.1\r\nHost: a-1.b_c.example:3000\r\nConnection: close${crlf}`,
    "an IPv6 address as Host": `GET ${live} HTTP/1.1\r\nHost: [2001:db8::1]:3000\r\nConnection: close${crlf}`,
    "an empty port in Host": `GET ${live} HTTP/1.1\r\nHost: a:\r\nConnection: close${crlf}`,
    "spaces around Host": `GET ${live} HTTP/1.1\r\nHost:  \ta \r\nConnection: close${crlf}`,
    "a Host that is not that of an absolute target": `GET http://b.example${live} HTTP/1.1\r\nHost: a\r\nConnection: close${crlf}`,
    "an absolute target": `GET http://gateway.example${live} HTTP/1.1\r\nHost: a\r\nConnection: close${crlf}`,
    "empty lines before it": `\r\n\r\nGET ${live} HTTP/1.1\r\nHost: a\r\nConnection: close${crlf}`,
    "an upgrade": `GET ${live} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket${crlf}`,
    "an upgrade to HTTP/2": `GET ${live} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: h2c${crlf}`,
    "Expect: 100-continue": `GET ${live} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close${crlf}`,
    "an expectation that is not known": `GET ${live} HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close${crlf}`
  }
  for (const [what, bytes] of Object.entries(inputs)) {
    it(`a request with ${what} is answered normally`, async () => {
      const [received, ...more] = await world.client.sendRaw({ bytes, asked })
      expect(received?.text).toBe('{"data":{"status":"live"}}')
      expect(more).toEqual([])
    })
  }

  it("a request that repeats a header of the contract is answered: the first value or both count", async () => {
    const target = "/v1/lookup?code=LA12A03BG07"
    const twice = (name: string) =>
      `GET ${target} HTTP/1.1\r\nHost: a\r\n${name}: a\r\n${name}: b\r\nConnection: close${crlf}`
    const statuses: Array<number | undefined> = []
    for (const name of ["X-API-Key", "Authorization", "X-Request-Id", "X-Forwarded-For", "Idempotency-Key", "Origin"]) {
      const [received] = await world.client.sendRaw({ bytes: twice(name), asked: [{ method: "GET", target }] })
      statuses.push(received?.status)
    }
    expect(statuses).toEqual([401, 200, 200, 200, 200, 200])
  })

  it("a byte above ASCII in a parameter is 400: it must be percent-encoded", async () => {
    for (const value of [Buffer.from("\u1ecdyo"), Buffer.from([0xff])]) {
      const start = Buffer.from("GET /v1/search/autocomplete?q=")
      const bytes = Buffer.concat([start, value, Buffer.from(` HTTP/1.1\r\nHost: a\r\nConnection: close${crlf}`)])
      const [received] = await world.client.sendRaw({ bytes })
      expectFailure(received as Received, "400 invalid_parameter")
    }
  })
}

const pipelines = (world: World): void => {
  it("requests that arrive in one packet are answered in order", async () => {
    const get = (target: string, more = "") => `GET ${target} HTTP/1.1\r\nHost: a${more}${crlf}`
    const all = await world.client.sendRaw({
      bytes: [
        get(live),
        get("/v1/nothing"),
        `${assemble}Content-Length: ${body.length}${crlf}${body}`,
        get("/v1/health/ready", "\r\nConnection: close")
      ].join(""),
      asked: [
        { method: "GET", target: live },
        { method: "GET", target: "/v1/nothing" },
        { method: "POST", target: "/v1/assembly/assemble" },
        { method: "GET", target: "/v1/health/ready" }
      ]
    })
    expect(all.map(outcomeOf)).toEqual(["200", "404 not_found", "200", "200"])
    expect(all[2]?.text).toContain("LA-12-A03-BG-07")
  })

  it("the answer to an upgrade request ends the connection, because Node skips the bytes after it", async () => {
    for (const behind of ["", "garbage", `GET ${live} HTTP/1.1\r\nHost: a`]) {
      const all = await world.client.sendRaw({
        bytes: `GET ${live} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c${crlf}${behind}${crlf}`,
        asked: [{ method: "GET", target: live }]
      })
      expect(all.map(outcomeOf)).toEqual(["200"])
      expect(all[0]?.headers.connection).toBe("close")
    }
  })

  it("two Hosts after a request do not change its answer, and end the connection", async () => {
    const get = (hosts: string) => `GET ${live} HTTP/1.1\r\n${hosts}${crlf}`
    const all = await world.client.sendRaw({
      bytes: get("Host: a") + get("Host: a\r\nHost: b") + get("Host: a"),
      asked: [{ method: "GET", target: live }]
    })
    expect(all.map(outcomeOf)).toEqual(["200", "400 invalid_parameter"])
    expect(all[1]?.headers.connection).toBe("close")
  })

  it("garbage after a request does not change its answer", async () => {
    const all = await world.client.sendRaw({
      bytes: `GET ${live} HTTP/1.1\r\nHost: a${crlf}garbage${crlf}`,
      asked: [{ method: "GET", target: live }]
    })
    expect(all.map(outcomeOf)).toEqual(["200", "400 invalid_parameter"])
  })

  it("after garbage in the same packet, the request before it is still answered, and charged once", async () => {
    const { organization_id, secret } = await world.operator.keyWithCredits(5)
    const paid = JSON.stringify({ level: 2, codes: [postcodes.full] })
    const head = `POST /v1/lookup/batch HTTP/1.1\r\nHost: a\r\nX-API-Key: ${secret}\r\nContent-Type: application/json`
    const [answer] = await world.client.sendRaw({
      bytes: `${head}\r\nContent-Length: ${paid.length}${crlf}${paid}\u0001\u0002 garbage${crlf}`,
      asked: [{ method: "POST", target: "/v1/lookup/batch", headers: { "x-api-key": secret } }]
    })
    expect(answer?.status).toBe(200)
    expect((await world.operator.statement(organization_id, "live")).balance).toBe(4)
  })

  it("garbage in the body of an answered request gets no second answer", async () => {
    for (const framing of ["Transfer-Encoding: chunked\r\n\r\nzz\r\n", "Transfer-Encoding: chunked\r\n\r\n1\r\n{zz"]) {
      const all = await world.client.sendRaw({
        bytes: `GET ${live} HTTP/1.1\r\nHost: a\r\n${framing}GET ${live} HTTP/1.1\r\nHost: a${crlf}`,
        asked: [{ method: "GET", target: live }]
      })
      // The answer and the garbage may arrive in any order.
      expect(all.map(outcomeOf)).toEqual([all[0]?.status === 200 ? "200" : "400 invalid_parameter"])
    }
  })

  it("a broken request is answered after the earlier requests, even if these take longer", async () => {
    const { secret } = await world.operator.keyWithCredits(10)
    const target = "/v1/lookup?code=LA12A03BG07&level=2"
    const all = await world.client.sendRaw({
      bytes: `GET ${target} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${secret}${crlf}${assemble}Transfer-Encoding: chunked${crlf}zz${crlf}`,
      asked: [{ method: "GET", target, headers: { "x-api-key": secret } }]
    })
    expect(all.map(outcomeOf)).toEqual(["200", "400 invalid_parameter"])
  })

  it("a request without a length or encoding has an empty body", async () => {
    const all = await world.client.sendRaw({
      bytes: `POST /v1/assembly/assemble HTTP/1.1\r\nHost: a\r\nContent-Type: application/json${crlf}GET ${live} HTTP/1.1\r\nHost: a\r\nConnection: close${crlf}`,
      asked: [
        { method: "POST", target: "/v1/assembly/assemble" },
        { method: "GET", target: live }
      ]
    })
    expect(all.map(outcomeOf)).toEqual(["400 invalid_body", "200"])
    expect(all[0]?.text).toContain("the body is empty")
  })

  it("the body of a refused request is not parsed as the next request", async () => {
    const smuggled = `GET /v1/nothing HTTP/1.1\r\nHost: a${crlf}`
    const refused = `POST /v1/lookup HTTP/1.1\r\nHost: a\r\nContent-Length: ${smuggled.length}${crlf}${smuggled}`
    const all = await world.client.sendRaw({
      bytes: `${refused}GET ${live} HTTP/1.1\r\nHost: a\r\nConnection: close${crlf}`,
      asked: [{ method: "POST" }, { method: "GET", target: live }]
    })
    expect(all.map(outcomeOf)).toEqual(["405 method_not_allowed", "200"])
  })
}

const paidPipelines = (world: World): void => {
  const target = "/v1/lookup?code=LA12A03BG07&level=2"
  const paidBy = (secret: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${secret}${crlf}`
  const tunnel = `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com${crlf}`
  const askedBy = (secret: string) => ({ method: "GET", target, headers: { "x-api-key": secret } })
  const balanceOf = async (organization_id: string) => (await world.operator.statement(organization_id, "live")).balance

  for (const [what, serveIt] of [
    ["the store", () => world],
    ["a slow store", () => serveSlowly(world)]
  ] as const) {
    it(`CONNECT after paid requests that wait for ${what} is refused in order, and nothing after it is started`, async () => {
      const { client } = await serveIt()
      for (const count of [1, 3]) {
        const { organization_id, secret } = await world.operator.keyWithCredits(10)
        const all = await client.sendRaw({
          bytes: paidBy(secret).repeat(count) + tunnel + paidBy(secret).repeat(2),
          asked: [...Array.from({ length: count }, () => askedBy(secret)), { method: "CONNECT" }]
        })
        expect(all.map(outcomeOf)).toEqual([...Array(count).fill("200"), "405 method_not_allowed"])
        expect(all[0]?.text).toContain("LA-12-A03-BG-07")
        expect(all[count]?.headers.connection).toBe("close")
        expect(await balanceOf(organization_id)).toBe(10 - count)
      }
    })
  }

  it("CONNECT in a second packet, while a paid request waits, is refused in order", async () => {
    const { client } = await serveSlowly(world)
    const { organization_id, secret } = await world.operator.keyWithCredits(10)
    const socket = connect({ host: "127.0.0.1", port: client.port })
    socket.on("connect", () => socket.write(paidBy(secret)))
    setTimeout(() => socket.write(`${tunnel}bytes for the tunnel`), slowness_ms / 2)
    const all = parseResponses(Buffer.concat(await socket.toArray()), (i) => (i === 0 ? "GET" : "CONNECT"))
    expect(all.map(outcomeOf)).toEqual(["200", "405 method_not_allowed"])
    expect(await balanceOf(organization_id)).toBe(9)
  })

  it("CONNECT after a refused request that ends the connection gets no second answer", async () => {
    for (const refused of [`GET ${live} HTTP/1.0\r\nTransfer-Encoding: chunked${crlf}0${crlf}`, `GET ${live}${crlf}`]) {
      const all = await world.client.sendRaw({ bytes: refused + tunnel })
      expect(all.map(outcomeOf)).toEqual(["400 invalid_parameter"])
    }
  })

  it("a paid request after a body that is too large is either answered or not started", async () => {
    const { organization_id, secret } = await world.operator.keyWithCredits(10)
    const large = `${assemble}Content-Length: 70000${crlf}${"x".repeat(70_000)}`
    const last = paidBy(secret).replace("Host: a", "Host: a\r\nConnection: close")
    const all = await world.client.sendRaw({
      bytes: large + paidBy(secret) + last,
      asked: [{ method: "POST" }, askedBy(secret), askedBy(secret)]
    })
    expect(all.map(outcomeOf)[0]).toBe("413 payload_too_large")
    expect(await balanceOf(organization_id)).toBe(11 - all.length)
  })

  it("paid requests that wait when draining starts are all answered, and the last answer ends the connection", async () => {
    const { client, gateway } = await serveSlowly(world)
    const { organization_id, secret } = await world.operator.keyWithCredits(10)
    setTimeout(() => gateway.drain(), slowness_ms / 2)
    const all = await client.sendRaw({ bytes: paidBy(secret).repeat(3), asked: Array(3).fill(askedBy(secret)) })
    expect(all.map(outcomeOf)).toEqual(["200", "200", "200"])
    expect(all.map(({ headers }) => headers.connection)).toEqual(["keep-alive", "keep-alive", "close"])
    expect(await balanceOf(organization_id)).toBe(7)
  })

  it("while the service drains, every paid request is either answered or not started", async () => {
    const { client, gateway } = await serveSlowly(world)
    const { organization_id, secret } = await world.operator.keyWithCredits(10)
    gateway.drain()
    const all = await client.sendRaw({ bytes: paidBy(secret).repeat(3), asked: Array(3).fill(askedBy(secret)) })
    expect(all.at(-1)?.headers.connection).toBe("close")
    expect(await balanceOf(organization_id)).toBe(10 - all.length)
  })
}

const headersOfRefusals = (world: World): void => {
  const refused: Readonly<Record<string, string | Uint8Array>> = {
    ...noRequests,
    ...ambiguousRequests,
    ...ambiguousHosts,
    "a body that breaks off": `${assemble}Content-Length: 1000${crlf}${body}`,
    CONNECT: `CONNECT a:1 HTTP/1.1\r\nHost: a${crlf}`
  }
  it("the refusal of bytes that are not a request has the headers of all answers", async () => {
    const { client } = await world.serveAnother({ publicOrigin: "https://postcode.example" })
    const common = commonTo(await client.get("/v1/nothing"))
    expect(common).toMatchObject({ "strict-transport-security": "max-age=31536000" })
    for (const [what, bytes] of Object.entries(refused)) {
      const asked = [{ method: what === "CONNECT" ? what : "-" }]
      const [received] = await client.sendRaw({ bytes, asked, half: true })
      expect(commonTo(received as Received), what).toEqual(common)
      expect(received?.headers, what).toMatchObject({ "cache-control": "no-store", connection: "close" })
      expect(Date.parse(received?.headers.date as string), what).toBeGreaterThan(0)
    }
  })

  it("a refusal has the X-Request-Id that was sent, if it was read", async () => {
    const head = "HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine"
    for (const bytes of [
      `CONNECT a:1 ${head}${crlf}`,
      `GET ${live} ${head}\r\nTransfer-Encoding: gzip, chunked${crlf}0${crlf}`,
      `POST /v1/assembly/assemble ${head}\r\nTransfer-Encoding: chunked${crlf}zz${crlf}`
    ]) {
      const [received] = await world.client.sendRaw({ bytes, asked: [{ method: "CONNECT" }] })
      expect(received?.headers["x-request-id"]).toBe("mine")
    }
  })
}

/** The headers that all answers without a key share. */
const commonTo = ({ headers }: Received): Readonly<Record<string, string>> => {
  const own = ["allow", "cache-control", "connection", "content-length", "date", "keep-alive", "vary", "x-request-id"]
  const counted = ["x-ratelimit-remaining", "x-ratelimit-reset"]
  return Object.fromEntries(Object.entries(headers).filter(([name]) => ![...own, ...counted].includes(name)))
}

const slowness_ms = 300

/** Another gateway, on a store that delays paid requests. */
const serveSlowly = (world: World): Promise<Served> =>
  world.serveAnother({}, (effect) =>
    Effect.flatMap(Units, (units) =>
      Effect.provideService(effect, Units, {
        attributes: (...asked) => Effect.delay(units.attributes(...asked), slowness_ms)
      })
    )
  )

const brokenConnections = (world: World): void => {
  const inputs: Readonly<Record<string, string>> = {
    "nothing sent": "",
    "half a request line": "GET /v1/hea",
    "half the headers": `GET ${live} HTTP/1.1\r\nHost: a\r\n`,
    "half a body": `${assemble}Content-Length: 1000${crlf}${body}`,
    "half a chunk": `${assemble}Transfer-Encoding: chunked${crlf}ff\r\n${body}`,
    "a whole request": `GET ${live} HTTP/1.1\r\nHost: a${crlf}`,
    "CONNECT after a request": `GET ${live} HTTP/1.1\r\nHost: a${crlf}CONNECT a:1 HTTP/1.1\r\nHost: a${crlf}more`,
    CONNECT: `CONNECT a:1 HTTP/1.1\r\nHost: a${crlf}`,
    "CONNECT, and bytes after it": `CONNECT a:1 HTTP/1.1\r\nHost: a${crlf}more`,
    garbage: `garbage${crlf}`
  }
  for (const [what, bytes] of Object.entries(inputs)) {
    it(`a connection reset does not affect the service: ${what}`, async () => {
      for (let i = 0; i < 3; i++) {
        await reset(world.client.port, bytes, "at once")
        await reset(world.client.port, bytes, "after the answer")
      }
    })
  }
}

/** Sends bytes and resets the connection: at once, or after the first answer or a timeout. */
const reset = (port: number, bytes: string, when: "after the answer" | "at once"): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true })
    socket.on("error", () => {})
    socket.on("close", () => resolve())
    socket.on("connect", () =>
      socket.write(bytes, () => {
        if (when === "at once") socket.resetAndDestroy()
        else {
          socket.once("data", () => socket.resetAndDestroy())
          setTimeout(() => socket.resetAndDestroy(), 20)
        }
      })
    )
  })
