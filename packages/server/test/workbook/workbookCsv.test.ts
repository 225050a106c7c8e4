import { text } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import { openSheet, type SheetOptions } from "../../src/workbook/workbookCsv.ts"
import { type Parts, sheetXml, stylesXml, workbookOf, zipOf } from "./WorkbookFile.ts"

const read = async (source: Buffer, options: SheetOptions = {}) => {
  const notes: Array<string> = []
  const sheet = await openSheet(source, { onNote: (note) => notes.push(note), ...options })
  return { csv: sheet === undefined ? undefined : await text(sheet.chunks), notes, numeric: sheet?.numericColumns() }
}

const rows = (xml: string, parts: Parts = {}) => workbookOf({ "xl/worksheets/sheet1.xml": sheetXml(xml), ...parts })
const csvOf = async (xml: string, parts: Parts = {}) => (await read(await rows(xml, parts))).csv

describe("a cell is the text that a person sees, in full", () => {
  const formats = [
    "00000",
    "dd/mm/yyyy",
    "[$-409]h:mm AM/PM",
    '"No. "0',
    "0.00",
    "0000\\-000",
    "[Red]#,##0.00",
    '0.0" days"'
  ]
  const styles = { "xl/styles.xml": stylesXml(...formats) }
  it.each<readonly [what: string, cell: string, expected: string]>([
    ["a number", "<c><v>6.6193999999999997</v></c>", "6.6194"],
    ["a phone number", "<c><v>2348012345678</v></c>", "2348012345678"],
    ["a large number", "<c><v>1.2E+22</v></c>", "12000000000000000000000"],
    ["a small number", "<c><v>1E-7</v></c>", "0.0000001"],
    ["a sum", "<c><v>0.30000000000000004</v></c>", "0.3"],
    ["a number with leading zeros", '<c s="1"><v>501</v></c>', "00501"],
    ["a number with a sign between", '<c s="6"><v>12345</v></c>', "0012-345"],
    ["a number of two decimals, in full", '<c s="5"><v>6.6194</v></c>', "6.6194"],
    ["a number with a word", '<c s="4"><v>7</v></c>', "7"],
    ["a number of another colour", '<c s="7"><v>1234.5</v></c>', "1234.5"],
    ["a number of days", '<c s="8"><v>3</v></c>', "3"],
    ["a date", '<c s="2"><v>45368</v></c>', "2024-03-17"],
    ["a date of the list of formats", '<c s="9"><v>45368.604166666664</v></c>', "2024-03-17 14:30:00"],
    ["a time", '<c s="3"><v>0.5</v></c>', "12:00:00"],
    ["a day before the leap day that was none", '<c s="2"><v>1</v></c>', "1900-01-01"],
    ["a date as text", '<c t="d"><v>2024-03-17</v></c>', "2024-03-17"],
    ["a truth", '<c t="b"><v>1</v></c>', "TRUE"],
    ["an error", '<c t="e"><v>#N/A</v></c>', "#N/A"],
    ["the result of a formula", '<c t="str"><f>A1&amp;"x"</f><v>LA-12-A03-BG-07</v></c>', "LA-12-A03-BG-07"],
    ["a text within", '<c t="inlineStr"><is><t xml:space="preserve"> a </t></is></c>', '" a "'],
    ["text in pieces", '<c t="s"><v>1</v></c>', "7 Harbour Road"],
    ["text with its pronunciation", '<c t="s"><v>2</v></c>', "東京"],
    ["text with an escape", '<c t="s"><v>3</v></c>', '"a\r\nb_x000D_"'],
    ["text with a comma and a quote", '<c t="s"><v>4</v></c>', '"a, ""b"""'],
    ["text that begins with =", '<c t="s"><v>5</v></c>', "=1+1"],
    ["another namespace prefix", '<x:c xmlns:x="x" t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c>', "a"]
  ])("%s", async (_, cell, expected) => {
    const texts =
      "<sst><si><t>zero</t></si><si><r><t>7 </t></r><r><rPr><b/></rPr><t>Harbour Road</t></r></si>" +
      "<si><t>東京</t><rPh><t>トウキョウ</t></rPh></si><si><t>a_x000D_\nb_x005F_x000D_</t></si><si><t>a, &quot;b&quot;</t></si>" +
      "<si><t>=1+1</t></si></sst>"
    const csv = await csvOf(`<row>${cell}</row>`, { ...styles, "xl/sharedStrings.xml": texts })
    expect(csv).toBe(`${expected}\n`)
  })

  it("a workbook may count days from 1904", async () => {
    const plain =
      '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="First" r:id="rId1"/></sheets></workbook>'
    expect(await csvOf('<row><c s="2"><v>43906</v></c></row>', { ...styles, "xl/workbook.xml": plain })).toBe(
      "2024-03-17\n"
    )
  })
})

/** What is noted of the only sheet with rows of two. */
const first = "read as: sheet First"

describe("a row is a line", () => {
  const value = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

  it("of the same number, with as many fields as the longest before", async () => {
    const xml =
      `<row r="1">${value("A1", "Title")}</row><row r="3">${value("A3", "a")}${value("C3", "c")}</row>` +
      `<row r="4">${value("B4", "b")}</row><row r="5"><c r="A5" s="1"/></row><row r="9"/><row r="1000000"/>`
    expect(await csvOf(xml)).toBe("Title\n\na,,c\n,b,\n")
  })

  it("also if it is hidden, or none of its cells has an address", async () => {
    const sheet = await rows(`<row hidden="1"><c><v>1</v></c></row><row><c><v>2</v></c><c t="b"><v>0</v></c></row>`)
    expect(await read(sheet)).toMatchObject({ csv: "1\n2,FALSE\n", notes: [first, "1 hidden row is read, too"] })
  })

  it("a formula without a result is an empty cell, and told", async () => {
    const { csv, notes } = await read(await rows(`<row><c><v>1</v></c><c><f>A1+1</f></c><c><f>A1</f><v/></c></row>`))
    expect(csv).toBe("1\n")
    expect(notes).toEqual([first, "warning: 2 cells have a formula without a result: open the workbook, and save it"])
  })

  it("the columns of numbers are known, unless a text looks like one", async () => {
    const xml =
      `<row>${value("A1", "id")}${value("B1", "phone")}${value("C1", "zip")}</row>` +
      `<row><c><v>1</v></c><c><v>234</v></c>${value("C2", "00501")}</row><row><c/>${value("B3", "0801")}<c><v>1</v></c></row>` +
      `<row><c/>${value("B3", "234")}</row>`
    expect((await read(await rows(xml))).numeric).toEqual(new Set([0, 2]))
  })
})

describe("the sheet is the one that is named, or the only one with rows", () => {
  const cell = '<row><c t="inlineStr"><is><t>x</t></is></c></row>'
  const both = { "xl/worksheets/sheet1.xml": sheetXml(cell), "xl/worksheets/sheet2.xml": sheetXml(`${cell}${cell}`) }

  it("an empty one is passed over", async () => {
    expect(
      await read(await workbookOf({ ...both, "xl/worksheets/sheet1.xml": sheetXml('<row r="5"/>') }))
    ).toMatchObject({
      csv: "x\nx\n",
      notes: ["read as: sheet Second"]
    })
  })

  it("two with rows are refused with their names", async () => {
    await expect(read(await workbookOf(both))).rejects.toMatchObject({
      message: 'the workbook has 2 sheets with rows: choose one with --sheet: "First", "Second"',
      exitCode: 2
    })
    expect((await read(await workbookOf(both), { sheet: " second" })).csv).toBe("x\nx\n")
    await expect(read(await workbookOf(both), { sheet: "Third" })).rejects.toMatchObject({
      message: 'the workbook has no sheet Third: expected "First", "Second"'
    })
  })

  it("a hidden one counts only if it is named, or none is visible", async () => {
    const hidden = (first: string) =>
      `<workbook xmlns:r="r"><sheets><sheet name="First" r:id="rId1"${first}/><sheet name="Lists" state="veryHidden" r:id="rId2"/></sheets></workbook>`
    const one = await workbookOf({ ...both, "xl/workbook.xml": hidden("") })
    expect((await read(one)).csv).toBe("x\n")
    expect((await read(one, { sheet: "Lists" })).csv).toBe("x\nx\n")
    await expect(
      read(await workbookOf({ ...both, "xl/workbook.xml": hidden(' state="hidden"') }))
    ).rejects.toMatchObject({ message: expect.stringContaining("2 sheets with rows") })
  })

  it("none with a value is an error", async () => {
    await expect(read(await workbookOf({ "xl/worksheets/sheet1.xml": sheetXml("") }))).rejects.toMatchObject({
      message: "the workbook is empty: none of its sheets has a value"
    })
  })

  it("another archive is no workbook", async () => {
    expect((await read(await zipOf({ "units.csv": "postcode\n" }))).csv).toBeUndefined()
    expect((await read(await workbookOf({ "xl/workbook.xml": undefined }))).csv).toBeUndefined()
  })
})

describe("a workbook that no spreadsheet program writes is refused, and fills no memory", () => {
  const billion = `<!DOCTYPE sst [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>`
  const used = '<row><c t="s"><v>0</v></c></row>'
  it.each<readonly [what: string, xml: string, parts: Parts, message: RegExp]>([
    ["entities that expand", used, { "xl/sharedStrings.xml": billion }, /has a document type/],
    [
      "an entity that is not defined",
      used,
      { "xl/sharedStrings.xml": "<sst><si><t>&xxe;</t></si></sst>" },
      /not well formed/
    ],
    ["XML that ends early", "<row><c><v>1</v></c>", {}, /not well formed/],
    ["elements within elements", "<a>".repeat(1_000) + "</a>".repeat(1_000), {}, /nested too deep/],
    [
      "a text without an end",
      `<row><c t="str"><v>${"a".repeat(20 << 20)}</v></c></row>`,
      {},
      /a cell of the workbook is too long/
    ],
    ["an attribute without an end", `<row><c t="${"a".repeat(20 << 20)}"/></row>`, {}, /too long/],
    [
      "many cells with one long text",
      `<row>${'<c t="s"><v>0</v></c>'.repeat(1_000)}</row>`,
      {
        "xl/sharedStrings.xml": `<sst><si><t>${"a".repeat(100_000)}</t></si></sst>`
      },
      /row 1 of the sheet is too long/
    ],
    ["a row beyond the last", '<row r="1048577"><c><v>1</v></c></row>', {}, /more than 1048576 rows/],
    ["rows that go back", '<row r="5"/><row r="4"/>', {}, /not in order/],
    ["a row of no number", '<row r="1e9x"/>', {}, /not in order/],
    ["a cell beyond the last column", '<row><c r="ZZZZ1"><v>1</v></c></row>', {}, /beyond the last column/],
    ["a text that is missing", '<row><c t="s"><v>7</v></c></row>', {}, /row 1 has a text that is missing/],
    ["a part that is missing", used, { "xl/sharedStrings.xml": undefined }, /it has no sharedStrings.xml/]
  ])("%s", async (_, xml, parts, message) => {
    await expect(read(await rows(xml, parts))).rejects.toMatchObject({ message: expect.stringMatching(message) })
  })

  it("other files are never opened", async () => {
    const relations =
      '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="file:///etc/passwd" TargetMode="External"/>' +
      '<Relationship Id="rId2" Type="x/worksheet" Target="../../../etc/passwd"/></Relationships>'
    await expect(read(await rows("", { "xl/_rels/workbook.xml.rels": relations }))).rejects.toMatchObject({
      message: expect.stringContaining("it has no sheet")
    })
  })

  it("an archive that was cut off, or altered, is damaged", async () => {
    const whole = await rows('<row><c t="inlineStr"><is><t>Ikorodu</t></is></c></row>')
    await expect(read(whole.subarray(0, whole.length - 30))).rejects.toMatchObject({
      message: expect.stringMatching(/^the workbook is damaged: /)
    })
    for (let at = 0; at < whole.length; at += 7) {
      const altered = Buffer.from(whole)
      altered[at] = (altered[at] as number) ^ 0xff
      const outcome = await read(altered).catch((error) => error)
      expect("csv" in outcome || outcome._tag === "CommandFailure", `byte ${at}: ${String(outcome)}`).toBe(true)
    }
  })
})
