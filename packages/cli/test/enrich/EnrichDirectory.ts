/** A directory of numbered units of which everything is known, and files that name them. */

const unitCount = 400

/** A unit by its number, from 0. */
export const postcodeOf = (number: number): string => {
  const area = `B${String.fromCharCode(65 + Math.trunc(number / 99))}`
  return `LA-12-A03-${area}-${String((number % 99) + 1).padStart(2, "0")}`
}

/** What level 2 adds to a row with an active unit. */
export const levelTwo = (number: number): string =>
  `valid,${postcodeOf(number)},,,Lagos,Ikeja,Alausa,South West,"${number} Bank Road, Alausa"`

export const retired = "LA-12-A03-ZZ-01"

/** A unit whose names are formulas of a spreadsheet, in ASCII and in full width. */
export const hostile = "LA-12-A03-ZZ-02"

const columns =
  "postcode,lat,lon,status,locality_name,recent_address,building_use_status,building_type,building_owner,delivery_point,replaced_by"

export const enrichDirectory = {
  "places.csv": "code,name,zone\nLA,Lagos,South West\nLA-12,Ikeja,\n",
  "units.csv": [
    columns,
    ...Array.from({ length: unitCount }, (_, number) => {
      const at = `${(6.6 + number / 10_000).toFixed(4)},-3.35`
      return `${postcodeOf(number)},${at},active,Alausa,"${number} Bank Road, Alausa",residential,duplex,private,true,`
    }),
    `${retired},6.7,3.35,retired,Alausa,,,,,,${postcodeOf(5)}`,
    `${hostile},6.8,-3.35,active,"=HYPERLINK(""http://evil.example"")","＋cmd|' /C calc'!A0",residential,duplex,private,true,`,
    ""
  ].join("\n")
}
