/** A small directory with addresses, for tests of address search. */
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { addressDirectory, type TestAddresses, type TestPlaces } from "./addressDirectory.ts"

const fixturePlaces: TestPlaces = [
  ["AB", "Abia"],
  ["AB-01", "Aba North"],
  ["AB-02", "Aba South"],
  ["EK", "Ekiti"],
  ["EK-01", "Ado Ekiti"],
  ["KO", "Kogi"],
  ["KO-11", "Kogi"],
  ["LA", "Lagos"],
  ["LA-10", "Ifako-Ijaiye"],
  ["LA-11", "Ikeja"],
  ["LA-20", "Surulere"],
  ["OY", "Oyo"],
  ["OY-33", "Surulere"]
]

/** Postcode, locality and address. */
export const fixtureUnits: TestAddresses = [
  ["AB-01-A09-AA-00", "Osusu", "Newtrend P S, Osusu, Aba North, Abia"],
  ["AB-01-E01-AA-00", "Eziama", "Awesome Presence Int Academy, Eziama, Aba North, Abia"],
  ["AB-01-E01-AA-01", "Eziama", "Nnamdi Azikiwe Model Sec Sch, Eziama, Aba North, Abia"],
  ["AB-01-E01-AA-02", "Eziama", "Aba North PHC, Eziama, Aba North, Abia"],
  ["AB-01-E01-AA-03", "Eziama", "Santa Jesse Nursery/Primary School, Eziama, Aba North, Abia"],
  ["AB-01-E01-AA-04", "Eziama", "Eziama, Aba North, Abia"],
  ["AB-01-E01-AA-05", "Eziama", "Eziama High School, Aba North, Abia"],
  ["AB-01-O07-AA-00", "Eziama", "Okigwe Road Primary School 2, Eziama, Aba North, Abia"],
  ["AB-02-A01-AA-00", "Ohabiam", "Living Word Academy, Ohabiam, Aba South, Abia"],
  ["AB-02-A01-AA-01", "Ohabiam", "Living Word Academy, Ohabiam, Aba South, Abia"],
  ["EK-01-A01-AA-00", "Ajilosun", "Fabian Hotel, Ajilosun, Ado Ekiti, Ekiti"],
  ["EK-01-A01-AA-01", "Ajilosun", "Holy Trinity Grammar School, Ajilosun, Ado Ekiti, Ekiti"],
  ["EK-01-B01-AA-00", "Basiri", "Basiri Health Centre, Basiri, Ado Ekiti, Ekiti"],
  ["KO-11-A01-AA-00", "Kotonkarfe", "General Hospital Kotonkarfe, Kogi, Kogi"],
  ["LA-10-A01-AA-00", "Ojokoro", "1 Ijaiye Road, Ojokoro"],
  ["LA-11-B03-PD-01", "Ikeja", "10 Allen Avenue, Ikeja"],
  ["LA-11-B03-PD-02", "Ikeja", "12 Allen Avenue, Ikeja"],
  ["LA-11-B03-PD-03", "Ikeja", "14 Allen Avenue, Ikeja"],
  ["LA-11-B03-PD-04", "Ikeja", "14A Allen Avenue, Ikeja"],
  ["LA-11-B03-PD-05", "Ikeja", "Flat 1, 16 Allen Avenue, Ikeja"],
  ["LA-11-B03-PD-06", "Ikeja", "Flat 2, 16 Allen Avenue, Ikeja"],
  ["LA-11-B03-PE-01", "Ikeja", "3 Opebi Road, Ikeja"],
  ["LA-11-C01-AA-01", "Ojodu", "12 Berger Close, Ojodu"],
  ["LA-11-C01-AA-02", "Ojodu", "4 Berger Lane,\r\nOjodu"],
  ["LA-20-A01-AA-01", "Aguda", "12 Allen Avenue, Aguda"],
  ["OY-33-A01-AA-01", "Oko", "Oko Primary School I, Oko, Surulere, Oyo"],
  ["OY-33-A01-AA-02", "Oko", "Oko Primary School II, Oko, Surulere, Oyo"]
]

/** @param replaced_by the successor of the retired units */
export const fixtureDirectory = (retired: ReadonlyArray<string> = [], replaced_by?: Postcode): Directory =>
  addressDirectory(fixturePlaces, fixtureUnits, { retired, replaced_by })
