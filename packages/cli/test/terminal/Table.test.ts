import { describe, expect, it } from "vitest"
import { record, table, type View } from "../../src/terminal/Table.ts"

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

  it("omits a column without values", () => {
    expect(table(columns, [{ name: "Ikeja", units: 7 }])).toBe("NAME   UNITS\nIkeja      7\n")
  })

  it("escapes control characters", () => {
    expect(table(columns, [{ name: "\u001b[2JIkeja\n", units: 7 }])).toBe(
      "NAME        UNITS\n\ufffd[2JIkeja\ufffd      7\n"
    )
  })
})

describe("table in a terminal", () => {
  const columns: View<Key> = { ID: "id", NAME: "name", CREATED: "created_at", NOTE: "note" }
  interface Key {
    readonly id: string
    readonly name: string
    readonly created_at: string
    readonly note: string
  }
  const rows = [
    {
      id: "key_AbCdEfGhIjKlMnOp",
      name: "The web shop of the south west",
      created_at: "2026-01-31T12:00:00Z",
      note: "Made for the new checkout page"
    },
    { id: "key_PoNmLkJiHgFeDcBa", name: "back office", created_at: "2026-01-31T12:00:00Z", note: "" }
  ]

  it("shortens long texts to the width, but no id and no time", () => {
    const lines = table(columns, rows, { width: 80 }).split("\n")
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines[1]).toMatch(
      /^key_AbCdEfGhIjKlMnOp {2}The web \S*.*… {2}\d{4}-\d\d-\d\d [\d:]{8} [+-]\d\d:\d\d {2}Made .*…$/
    )
    expect(lines[2]).toContain("back office")
  })

  it("shows each row as a record if the columns do not fit into the width", () => {
    const text = table(columns, rows, { width: 60 })
    expect(text.split("\n\n")).toHaveLength(2)
    expect(text).toMatch(/^ID {7}key_AbCdEfGhIjKlMnOp\nNAME {5}The web shop of the south west\nCREATED {2}/)
  })

  it("is not shortened without a width", () => {
    expect(table(columns, rows).split("\n")[1]).toContain("The web shop of the south west")
  })

  it("emphasizes only titles", () => {
    const emphasize = (text: string) => `<${text}>`
    expect(table({ ID: "id" }, rows, { emphasize })).toBe("<ID>\nkey_AbCdEfGhIjKlMnOp\nkey_PoNmLkJiHgFeDcBa\n")
    expect(record<Key>({ id: "id", note: "note" }, rows[1] as Key, { emphasize })).toBe("<id>  key_PoNmLkJiHgFeDcBa\n")
  })
})

describe("record", () => {
  interface Unit {
    readonly postcode: string
    readonly address?: string
    readonly lga: string
  }

  it("shows a field on each line, and omits fields without a value", () => {
    expect(
      record<Unit>(
        { postcode: "postcode", address: "address", LGA: ({ lga }) => lga },
        { postcode: "LA-12-A03-BG-07", lga: "Ikeja" }
      )
    ).toBe("postcode  LA-12-A03-BG-07\nLGA       Ikeja\n")
  })
})
