/** Hostile input: some of it, and how the fuzzer judges. `fuzz.long.test.ts` sends more. */
import { describe, expect, it } from "vitest"
import { expectNoFailure } from "./expectNoFailure.ts"
import { frame } from "./Framing.ts"
import { Tally } from "./FuzzReport.ts"
import { secretPattern } from "./Judge.ts"
import { shellCommand, shrinkBytes } from "./Reproduction.ts"

it("whatever is sent, every answer keeps the conventions and its schema, and no secret is logged", async () => {
  await expectNoFailure("memory", 1_000)
}, 600_000)

describe("the parser that separates requests", () => {
  const count = (text: string) => frame(Buffer.from(text, "latin1")).requests.length

  it("counts complete requests", () => {
    expect(count("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.0\r\nA: b\r\n\r\nGET /")).toBe(2)
    expect(count("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n")).toBe(2)
    expect(
      count(
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nT: a\r\n\r\nGET / HTTP/1.1\r\n\r\n"
      )
    ).toBe(2)
  })

  it("recognizes a request whose body is incomplete, with any Content-Length", () => {
    for (const length of ["4", "9999999999999999", "9".repeat(30)]) {
      const { begun, requests } = frame(Buffer.from(`POST /a HTTP/1.1\r\nContent-Length: ${length}\r\n\r\nabc`))
      expect(requests).toEqual([])
      expect(begun, length).toMatchObject({ method: "POST", target: "/a" })
    }
  })

  const none = [
    "GET / HTTP/1.1\n\n",
    "GET /\r\n\r\n",
    "GET / HTTP/2.0\r\n\r\n",
    "GET / HTTP/1.1\r\nA\r\n\r\n",
    "GET / HTTP/1.1\r\nA : b\r\n\r\n",
    "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabc",
    "POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\nab\r\n0\r\n\r\n"
  ]
  it.each(none.map((text) => [JSON.stringify(text), text]))("takes %s for none", (_, text) => {
    expect(count(text)).toBe(0)
    expect(frame(Buffer.from(text)).hasMore).toBe(true)
  })
})

describe("what fails", () => {
  it("is reduced to the smallest failing input, and printed as a shell command", async () => {
    const fails = async (bytes: Buffer) => bytes.includes("'\r\n")
    const smallest = await shrinkBytes(Buffer.from(`GET /${"a".repeat(300)}'\r\nHost: a\r\n\r\n`), fails)
    expect(shellCommand(smallest)).toBe("printf '\\047\\r\\n' | nc 127.0.0.1 3000")
  })

  it("is reported once, even if it repeats with different numbers", () => {
    const tally = new Tally()
    expect(tally.fail("slow: 60 ms alone", 7)).toMatchObject({ index: 7 })
    expect(tally.fail("slow: 70 ms alone", 9)).toBeUndefined()
    expect(tally.failures()).toMatchObject([{ fault: "slow: 60 ms alone", index: 7, count: 2 }])
  })

  it("includes any secret in a line of the log", () => {
    for (const secret of [`svc_live_${"a".repeat(38)}`, "84213579123", "Bearer x", "eyJhbGciOiJIUzI1NiJ9"]) {
      expect(secretPattern.test(`{"message":"${secret}"}`)).toBe(true)
    }
    expect(secretPattern.test('{"key_id":"key_abc","request_id":"0f8fad5b-d9cb-469f-a165-70867728950e"}')).toBe(false)
  })
})
