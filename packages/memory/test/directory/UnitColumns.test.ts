import { assert, describe, it } from "@effect/vitest"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { UnitColumns } from "@postcode/memory"
import { Schema } from "effect"

/** Rows in a block of the columns; tests go over its edge. */
const blockSize = 16_384

const Attributes = Schema.Struct({
  locality_name: Schema.optionalKey(Schema.String),
  recent_address: Schema.optionalKey(Schema.String),
  building_use_status: Schema.optionalKey(Schema.Literals(["residential", "commercial", ""])),
  building_type: Schema.optionalKey(Schema.String),
  building_owner: Schema.optionalKey(Schema.String),
  delivery_point: Schema.optionalKey(Schema.Boolean)
})

describe("UnitColumns", () => {
  it.prop(
    "every row is read as it was added",
    [Schema.Array(Attributes)],
    ([rows]) => {
      const columns = new UnitColumns()
      for (const [row, attributes] of rows.entries()) columns.add(row, wellFormed(attributes))
      assert.strictEqual(columns.size, rows.length)
      for (const [row, attributes] of rows.entries()) assert.deepStrictEqual(columns.at(row), wellFormed(attributes))
    },
    { arbitrary: { runs: 200, seed: 20260131 } }
  )

  it("addresses of any characters and any length are returned, across blocks", () => {
    const columns = new UnitColumns()
    const addresses = [
      "Café Ìkẹjà",
      "4 Allen Avenue",
      "Ọjọ́dù Bẹ́rger",
      "𐀀 😀",
      "\ufeffmark",
      "",
      "x".repeat(300),
      "ọ".repeat(300)
    ]
    const addressOf = (row: number) => `${row} ${addresses[row % addresses.length]}`
    const rows = 2 * blockSize + 10
    for (let row = 0; row < rows; row++) columns.add(row, { recent_address: addressOf(row) })
    for (let row = 0; row < rows; row++) {
      if (columns.at(row).recent_address !== addressOf(row)) assert.fail(`row ${row} was not read as it was added`)
    }
  })

  it("an address may be of one letter, longer than all before, or begin with a byte order mark", () => {
    const columns = new UnitColumns()
    const addresses = ["é", "\ufeffmark", "y".repeat(200_000), "\u00ff".repeat(400_000), "4"]
    for (const [row, recent_address] of addresses.entries()) columns.add(row, { recent_address })
    assert.deepStrictEqual(
      addresses.map((_, row) => columns.at(row).recent_address),
      addresses
    )
  })

  it("an empty address is distinguished from an unknown one", () => {
    const columns = new UnitColumns()
    columns.add(0, { recent_address: "" })
    columns.add(1, {})
    assert.deepStrictEqual(columns.at(0), { recent_address: "" })
    assert.deepStrictEqual(columns.at(1), {})
  })

  it("skipped rows and rows after the last one have no attributes", () => {
    const columns = new UnitColumns()
    columns.add(2, { building_type: "duplex" })
    columns.add(blockSize + 5, { building_type: "bungalow" })
    assert.deepStrictEqual(columns.at(2), { building_type: "duplex" })
    assert.deepStrictEqual(columns.at(blockSize + 5), { building_type: "bungalow" })
    for (const row of [0, 1, 3, blockSize - 1, blockSize, blockSize + 6, 9 * blockSize]) {
      assert.deepStrictEqual(columns.at(row), {}, `row ${row}`)
    }
  })

  it("a row that is not greater than all previous rows is refused and changes nothing", () => {
    const columns = new UnitColumns()
    columns.add(5, { building_type: "duplex" })
    for (const row of [5, 0, -1, 6.5, Number.NaN]) {
      assert.throws(() => columns.add(row, { building_type: "bungalow" }), RangeError, /ascending/)
    }
    assert.deepStrictEqual(columns.at(5), { building_type: "duplex" })
    assert.strictEqual(columns.size, 6)
  })

  it("an invalid row number is refused", () => {
    const columns = new UnitColumns()
    columns.add(0, { building_type: "duplex" })
    for (const row of [-1, 0.5, Number.NaN]) assert.throws(() => columns.at(row), RangeError)
  })

  it("units are read by the rows from which they were built", () => {
    const columns = new UnitColumns()
    columns.add(0, { building_type: "last in code order" })
    columns.add(1, { building_type: "left out as a duplicate" })
    columns.add(2, { building_type: "first in code order" })
    const attributesOf = columns.attributesOf(Uint32Array.of(2, 0))
    assert.deepStrictEqual(attributesOf(0), { building_type: "first in code order" })
    assert.deepStrictEqual(attributesOf(1), { building_type: "last in code order" })
    assert.throws(() => attributesOf(2), RangeError)
  })

  it("texts that rarely repeat are kept", () => {
    const columns = new UnitColumns()
    const rows = 250_000
    for (let row = 0; row < rows; row++) columns.add(row, { building_owner: `owner ${row % 120_000}` })
    for (let row = 0; row < rows; row += 997) {
      assert.deepStrictEqual(columns.at(row), { building_owner: `owner ${row % 120_000}` })
    }
  })

  it("10 million units with addresses of 40 letters fit in 1 GB", () => {
    const columns = new UnitColumns()
    const rows = 4 * blockSize
    for (let row = 0; row < rows; row++) {
      columns.add(row, { locality_name: `locality ${row % 500}`, recent_address: `${row}`.padEnd(40, "e") })
    }
    assert.isBelow((10_000_000 * columns.bytes) / rows, 1e9)
  })
})

/** Addresses are UTF-8, which has no way to write half a surrogate pair. */
const wellFormed = (attributes: UnitAttributes): UnitAttributes =>
  attributes.recent_address === undefined
    ? attributes
    : { ...attributes, recent_address: toWellFormed(attributes.recent_address) }

const toWellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd")
