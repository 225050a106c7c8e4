/** Names that only their locality explains: shortened, misspelled, or joined beyond what is recognized anywhere. */
import { searchAddress } from "@postcode/core/AddressSearch"
import { describe, expect, it } from "vitest"
import { hardNamesDirectory } from "./HardNamesFixture.ts"

const directory = hardNamesDirectory()

describe("a name in a named locality", () => {
  it.each([
    ["5 Rlwy Rd, Ibeku, Umuahia North", "AB-16-A01-AA-01"],
    ["5 Racikwoy Road, Ibeku, Umuahia North", "AB-16-A01-AA-01"],
    ["5 Ralwie Road, Ibeku", "AB-16-A01-AA-01"],
    ["9 Harm. Stre., Ibeku, Umuahia North", "AB-16-A01-AA-02"],
    ["7 Brhl Rd, Ohuhu, Umuahia North, Abia", "AB-16-A02-AA-02"],
    ["3 Secr. Road, Dalila, Rimin Gado", "KN-33-A01-AA-01"],
    ["12 Mrnk Cresc, Sabo, Ibadan", "OY-07-A01-AA-01"]
  ])("%s is a unit to be confirmed", (text, code) => {
    expect(searchAddress(directory, text)).toMatchObject({ code, action: "confirm" })
    expect(searchAddress(directory, text).message).toMatch(/ was found in .*; the text writes it otherwise: check /)
  })

  it.each([
    ["5 Rainbow Road, Ibeku, Umuahia North", "another name that starts alike"],
    ["6 Rlwy Rd, Ibeku, Umuahia North", "a number that the street does not have"],
    ["9 Gold Avene, Ibeku, Umuahia North", "another kind of street, misspelled"],
    ["9 Gold Cres., Ibeku, Umuahia North", "another kind of street, shortened"],
    ["5 R Road, Ibeku, Umuahia North", "a letter before a word for a street"],
    ["5 Rlwy Rd, Umuahia South", "another local government area"]
  ])("%s is none: %s", (text) => {
    expect(searchAddress(directory, text).precision).not.toBe("unit")
  })
})

describe("what is joined, or one letter", () => {
  it.each([
    ["21 MarketRoad, Oke-Ado, Ibadan", "OY-10-A01-AA-01"],
    ["21 mqrketroad, oke ado, ibadan south west", "OY-10-A01-AA-01"],
    ["5 Mercy Close, Ubakala, Umuahia S", "AB-17-A01-AA-01"],
    ["12 Morenike Crescent, Sabo, Ibadan N.E.", "OY-07-A01-AA-01"],
    ["3 Secretariat Road, Dalila, R. Gado", "KN-33-A01-AA-01"],
    ["3 Secretariat Road, Dalila, R/Gado, Kano", "KN-33-A01-AA-01"],
    ["9 Harmony Strret, Ibeku, Umuahia North", "AB-16-A01-AA-02"],
    ["ibeku hc, Ibeku, Umuahia North", "AB-16-A01-AA-04"]
  ])("%s", (text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
  })

  it.each([
    ["Umuahia N", "AB-16"],
    ["Ibadan NE", "OY-07"],
    ["Ibadan S.W, Oyo", "OY-10"],
    ["R. Gado, Kano", "KN-33"]
  ])("%s is a local government area", (text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
  })
})

it("the locality of a landmark is not that of the house", () => {
  const text = "9 Gold Street, Ibeku, near 14 Palace Road, Ohuhu, Umuahia North"
  expect(searchAddress(directory, text)).toMatchObject({ code: "AB-16-A01-AA-03", action: "accept" })
})
