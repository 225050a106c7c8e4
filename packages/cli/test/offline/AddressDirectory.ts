/** A directory with streets, for searches by address. */
import { placesHeader, requiredUnitColumns } from "@postcode/core/Csv"

const unit = (postcode: string, locality: string, address: string, status = "active"): string =>
  `${postcode},6.6,3.35,${status},${locality},"${address}",residential,,,,\n`

/** Allen Avenue and a clinic in Ikeja, and a street in Dala. */
export const addressDirectory = {
  "places.csv": `${placesHeader}LA,Lagos,South West\nLA-12,Ikeja,\nKN,Kano,North West\nKN-03,Dala,\n`,
  "units.csv": [
    `${[...requiredUnitColumns, "replaced_by"]}\n`,
    unit("LA-12-A03-BG-07", "Alausa", "12 Allen Avenue"),
    unit("LA-12-A03-BG-08", "Alausa", "14 Allen Avenue"),
    unit("LA-12-A03-BG-09", "Alausa", "16 Allen Avenue", "retired"),
    unit("LA-12-A03-BG-10", "Alausa", "Morenike Clinic"),
    unit("LA-12-C01-AA-01", "Oregun", "3 Kudirat Street"),
    unit("KN-03-B02-AA-01", "Gwammaja", "7 Sabo Bakin Road")
  ].join("")
}
