/** The files of a directory as operators have them: right, and wrong in the ways that happen. */
import { demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"

export interface File {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

const csv = (name: string, content: string | Buffer): File => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(content as string)
})

export const placesFile = csv("places.csv", demoPlacesCsv())

/** As many as the service under test has, and the same ones. */
const lines = Array.from(demoUnitsCsv({ units: 20_000, seed: 1 }), ({ text }) => text)
  .join("")
  .trimEnd()
  .split("\n")

type Row = ReadonlyArray<string>

const rowsWith = (change: (row: Row, at: number) => Row | undefined): string =>
  [
    lines[0],
    ...lines.slice(1).flatMap((line, at) => {
      const row = change(line.split(","), at)
      return row === undefined ? [] : [row.join(",")]
    })
  ].join("\n")

export const unitsFile = csv(
  "units.csv",
  rowsWith((row) => row)
)

/** 150 coordinates are exchanged. */
export const exchangedFile = csv(
  "units exchanged.csv",
  rowsWith((row, at) => {
    const [postcode = "", lat = "", lon = "", ...rest] = row
    return at % 130 === 7 ? [postcode, lon, lat, ...rest] : row
  })
)

/** Cut off in the middle of a row. */
export const truncatedFile = csv("units cut off.csv", unitsFile.buffer.subarray(0, unitsFile.buffer.length / 2))

/** Semicolons, decimal commas, own names, Windows-1252, lines that end with CR LF. */
export const germanExcelFile = csv(
  "Einheiten.csv",
  Buffer.from(
    [
      "Schlüssel;Nördl. Breite;Östl. Länge;Zustand",
      ...lines.slice(1).map((line) => {
        const [postcode, lat = "", lon = "", status] = line.split(",")
        return [postcode, lat.replace(".", ","), lon.replace(".", ","), status === "active" ? "1" : "0"].join(";")
      })
    ].join("\r\n"),
    "latin1"
  )
)

export const utf16File = csv(
  "units unicode.txt",
  Buffer.from(`\ufeff${lines.join("\r\n").replaceAll(",", "\t")}`, "utf16le")
)

/** Three of ten rows cannot be read. */
export const badRowsFile = csv(
  "units with bad rows.csv",
  rowsWith((row, at) => (at % 10 < 3 ? [row[0] ?? "", "north", ...row.slice(2)] : row))
)

export const pdfFile = csv("report.pdf", "%PDF-1.7\n%âãÏÓ\n1 0 obj\n")
export const emptyFile = csv("units.csv", `${lines[0]}\n`)
