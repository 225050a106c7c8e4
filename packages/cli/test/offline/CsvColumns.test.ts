import { describe, expect, it } from "vitest"
import { columnsByName, columnsByNumber } from "../../src/commands/postcode/CsvColumns.ts"

describe("columns of a file with addresses", () => {
  const found = (names: ReadonlyArray<string>, address: ReadonlyArray<string>, column?: string) =>
    columnsByName(names, { address, column })

  it("are the given ones in the given order, and the column of postcodes, if there is one", () => {
    expect(found(["Town", "postcode", "street"], ["street", "town"])).toEqual({ address: [2, 0], postcode: 1 })
    expect(found(["a", "b"], ["2"], "1")).toEqual({ address: [1], postcode: 0 })
    expect(found(["address"], ["address"])).toEqual({ address: [0], postcode: undefined })
  })

  it("a column called code is not the one of postcodes if there is an address", () => {
    expect(found(["code", "address"], ["address"]).postcode).toBeUndefined()
    expect(found(["code", "address"], []).postcode).toBe(0)
  })

  it("of shops' exports are found by a name that has other words, too, if it is the only one", () => {
    for (const name of [
      "Shipping Zip",
      "billing_postcode",
      "Post code (new)",
      "Customer Postal-Code",
      "DeliveryZipCode"
    ]) {
      expect(found(["Name", name, "City"], []).postcode, name).toBe(1)
      expect(found(["Name", name, "City"], ["City"]).postcode, name).toBe(1)
    }
    expect(found(["Zip", "Shipping Zip"], []).postcode).toBe(0)
    const two = ["billing_postcode", "shipping_postcode", "city"]
    expect(() => found(two, [])).toThrow(expect.objectContaining({ message: expect.stringContaining("more than one") }))
    expect(found(two, ["city"]).postcode).toBeUndefined()
    expect(() => found(["Zipper", "Size"], [])).toThrow(/no column is called postcode/)
  })

  it("are given by number without a header", () => {
    expect(columnsByNumber(3, { address: ["3", "1"], column: undefined })).toEqual({
      address: [2, 0],
      postcode: undefined
    })
    expect(columnsByNumber(1, { address: ["1"], column: undefined }).postcode).toBeUndefined()
    expect(columnsByNumber(3, { address: ["3"], column: "2" }).postcode).toBe(1)
  })

  it("that are missing or ambiguous are named with the flag", () => {
    expect(() => found(["a", "b"], ["c"])).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: "there is no column c: name one with --address, by its name or number, of 1 a, 2 b"
      })
    )
    expect(() => columnsByNumber(2, { address: ["3"], column: undefined })).toThrow(
      expect.objectContaining({
        message: "the first row has 2 columns: without a header, --address has to be a number from 1 to 2"
      })
    )
    expect(() => found(["zip", "ZIP", "c"], ["c"])).toThrow(
      expect.objectContaining({ message: expect.stringContaining("more than one column may hold the postcodes") })
    )
  })
})
