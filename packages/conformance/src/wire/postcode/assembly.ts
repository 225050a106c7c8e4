/** Joining and splitting postcodes by the grammar only, whether they exist or not. */
import { describe, expect, it } from "vitest"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Received } from "../Received.ts"

const segments = { state: "LA", lga: "12", district: "A03", area: "BG", unit: "07" }
const formats = { postcode: "LA-12-A03-BG-07", display: "LA 12 A03 BG 07", compact: "LA12A03BG07" }

export const assembly = (world: World): void => {
  describe("POST /v1/assembly/assemble", () => assemble(world))
  describe("GET /v1/assembly/disassemble", () => disassemble(world))
}

const assemble = (world: World): void => {
  const send = (body: unknown): Promise<Received> => world.client.post("/v1/assembly/assemble", body)

  it("returns the three formats", async () => {
    expect(dataOf(await send(segments))).toEqual(formats)
  })

  it("accepts lower case and returns upper case", async () => {
    expect(dataOf(await send({ state: "la", lga: "12", district: "a03", area: "bG", unit: "07" }))).toEqual(formats)
  })

  it("lga and unit may omit their leading zero; the formats returned have it", async () => {
    const body = { state: "ek", lga: "1", district: "a03", area: "fk", unit: "9" }
    expect(dataOf(await send(body))).toEqual({
      postcode: "EK-01-A03-FK-09",
      display: "EK 01 A03 FK 09",
      compact: "EK01A03FK09"
    })
    expectFailure(await send({ ...body, district: "3" }), "400 invalid_parameter", "district: expected ")
  })

  it("does not ask whether the postcode exists", async () => {
    const body = { state: "QQ", lga: "00", district: "999", area: "QQ", unit: "99" }
    expect(dataOf(await send(body))).toMatchObject({ postcode: "QQ-00-999-QQ-99" })
  })

  const wrong = {
    state: ["", "L", "LAG", "L1", " LA", "LA ", "L\u0410", "\u017f\u017f"],
    lga: ["", "0", "001", "123", "1A", "-1", "1.", "\u0661\u0662"],
    district: ["", "A0", "A030", "A-3", "A 3", "\uff21\uff10\uff13"],
    area: ["", "B", "BGG", "B1", "12"],
    unit: ["", "0", "007", "0A", "AA"]
  }
  for (const [name, values] of Object.entries(wrong)) {
    it(`an invalid ${name} is 400, and the message names it and the expected value`, async () => {
      for (const value of values) {
        expectFailure(await send({ ...segments, [name]: value }), "400 invalid_parameter", `${name}: expected `)
      }
    })

    it(`a ${name} that is missing or not a text is 400 and named`, async () => {
      const { [name as "unit"]: _, ...rest } = segments
      expectFailure(await send(rest), "400 invalid_parameter", `${name}: this is required`)
      for (const value of [null, 12, true, ["LA"], {}]) {
        expectFailure(await send({ ...rest, [name]: value }), "400 invalid_parameter", `${name}: expected`)
      }
    })
  }

  it("of several invalid segments, the first in the order of a postcode is named", async () => {
    expectFailure(
      await send({ unit: "x", area: "1", district: "A03", lga: "x", state: "LA" }),
      "400 invalid_parameter",
      "lga"
    )
  })
}

const disassemble = (world: World): void => {
  const path = "/v1/assembly/disassemble"
  const codes = [
    "LA-12-A03-BG-07",
    "LA 12 A03 BG 07",
    "LA12A03BG07",
    " la12a03bg07 ",
    "la\u201312\u2013a03\u2013bg\u201307"
  ]
  it.each(codes)("accepts any format: %j", async (code) => {
    expect(dataOf(await world.client.get(url(path, { code })))).toEqual(segments)
  })

  it("does not ask whether the postcode exists", async () => {
    const data = dataOf(await world.client.get(url(path, { code: "QQ00999QQ99" })))
    expect(data).toEqual({ state: "QQ", lga: "00", district: "999", area: "QQ", unit: "99" })
  })

  it("accepts the result of assemble, in any format", async () => {
    for (const code of Object.values(formats)) {
      expect(dataOf(await world.client.get(url(path, { code })))).toEqual(segments)
    }
  })

  const malformed = {
    "1A-12-A03-BG-07": "state",
    "LA-1-A03-BG-07": "lga",
    "LA 12-A03-BG-07": "district",
    "LA-12-A3-BG-07": "district",
    "LA-12-A03-B-07": "area",
    LA12A03BG: "unit",
    LA12A03BG077: "unit"
  }
  for (const [code, segment] of Object.entries(malformed)) {
    it(`a malformed code is 400, and the message names ${segment}: ${code}`, async () => {
      expectFailure(await world.client.get(url(path, { code })), "400 invalid_parameter", "code", segment)
    })
  }

  it("a missing code is 400", async () => {
    expectFailure(await world.client.get(path), "400 invalid_parameter", "code: this is required")
  })
}
