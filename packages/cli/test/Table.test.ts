import { describe, expect, it } from "vitest"
import { record, table, type View } from "../src/Table.ts"

describe("table", () => {
  const columns: View<Row> = { NAME: "name", UNITS: { right: "units" }, NOTE: ({ note }) => note }
  interface Row {
    readonly name: string
    readonly units: number
    readonly note?: string
  }

  it("aligns texts at their start and numbers at their end, without white space behind", () => {
    const rows = [
      { name: "Ikeja", units: 7, note: "capital" },
      { name: "O\u0323s\u0323un", units: 12_345 }
    ]
    expect(table(columns, rows)).toBe("NAME   UNITS  NOTE\nIkeja      7  capital\nO\u0323s\u0323un   12345\n")
  })

  it("leaves out a column in which nothing is known", () => {
    expect(table(columns, [{ name: "Ikeja", units: 7 }])).toBe("NAME   UNITS\nIkeja      7\n")
  })

  it("shows control characters as such instead of sending them to the terminal", () => {
    expect(table(columns, [{ name: "\u001b[2JIkeja\n", units: 7 }])).toBe(
      "NAME        UNITS\n\ufffd[2JIkeja\ufffd      7\n"
    )
  })
})

describe("record", () => {
  interface Unit {
    readonly postcode: string
    readonly address?: string
    readonly lga: string
  }

  it("puts the fields below each other and leaves out those without a value", () => {
    expect(
      record<Unit>(
        { postcode: "postcode", address: "address", LGA: ({ lga }) => lga },
        { postcode: "LA-12-A03-BG-07", lga: "Ikeja" }
      )
    ).toBe("postcode  LA-12-A03-BG-07\nLGA       Ikeja\n")
  })
})
