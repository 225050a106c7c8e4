/** Cities that are called as their state or wider than one LGA, other places beside a house, and what people leave out. */
import { searchAddress } from "@postcode/core/AddressSearch"
import { complete } from "@postcode/core/Autocomplete"
import { describe, expect, it } from "vitest"
import { addressDirectory, type TestAddresses, type TestPlaces } from "./addressDirectory.ts"

const places: TestPlaces = [
  ["AD", "Adamawa"],
  ["AD-20", "Yola North"],
  ["BA", "Bauchi"],
  ["BA-02", "Bauchi"],
  ["BA-08", "Ganjuwa"],
  ["BE", "Benue"],
  ["BE-01", "Ado"],
  ["DE", "Delta"],
  ["DE-24", "Warri South"],
  ["ED", "Edo"],
  ["ED-02", "Egor"],
  ["ED-12", "Oredo"],
  ["EK", "Ekiti"],
  ["EK-01", "Ado Ekiti"],
  ["FC", "Federal Capital Territory"],
  ["EB", "Ebonyi"],
  ["EB-13", "Onicha"],
  ["FC-02", "Abuja Municipal Area Council"],
  ["IM", "Imo"],
  ["IM-04", "Ezinihitte"],
  ["JI", "Jigawa"],
  ["JI-21", "Malam Madori"],
  ["KN", "Kano"],
  ["KN-12", "Fagge"],
  ["KN-17", "Gwarzo"],
  ["KN-21", "Kano Municipal"],
  ["KN-22", "Kumbotso"],
  ["LA", "Lagos"],
  ["LA-08", "Eti-Osa"],
  ["LA-09", "Ibeju-Lekki"],
  ["LA-11", "Ikeja"],
  ["LA-15", "Lagos Mainland"],
  ["LA-20", "Surulere"],
  ["NA", "Nasarawa"],
  ["NA-04", "Karu"],
  ["OY", "Oyo"],
  ["OY-20", "Ibarapa Central"],
  ["RI", "Rivers"],
  ["RI-15", "Obio/Akpor"],
  ["RI-22", "Port Harcourt"],
  ["TA", "Taraba"],
  ["TA-01", "Ardo-Kola"],
  ["YO", "Yobe"],
  ["YO-07", "Gujba"]
]

const units: TestAddresses = [
  ["AD-20-A01-AA-01", "Jimeta", "28 Station Road, Jimeta"],
  ["BA-02-A01-AA-01", "Wunti", "4 Hospital Road, Wunti"],
  ["BA-02-A01-AA-02", "Wunti", "9 Jos Road, Wunti"],
  ["BA-08-A01-AA-01", "Miya", "88 Hospital Road, Miya"],
  ["BA-08-A01-AA-02", "Miya", "47 Ladi Way, Miya"],
  ["BE-01-A01-AA-01", "Igumale", "3 Market Road, Igumale"],
  ["DE-24-A01-AA-01", "Okere", "6 Okere Road, Okere"],
  ["ED-02-A01-AA-01", "Uselu", "12 Mosque Street, Uselu"],
  ["ED-12-A01-AA-01", "Ogbe", "8 Airport Road, Ogbe"],
  ["EK-01-A01-AA-01", "Basiri", "9 Ahmadu Bello Way, Basiri"],
  ["EK-01-A01-AA-02", "Basiri", "9A Ahmadu Bello Way, Basiri"],
  ["EK-01-A01-AA-03", "Basiri", "15 Aka Road, Basiri"],
  ["KN-12-A01-AA-01", "Fagge", "Fagge Central Mosque, Fagge"],
  ["KN-12-A02-AA-01", "Fagge", "Central Mosque, Fagge"],
  ["KN-12-A02-AA-02", "Sabon Gari", "14 Nuhu Way, Sabon Gari"],
  ["KN-17-A01-AA-01", "Getso", "61 Musa Crescent, Getso"],
  ["LA-08-A01-AA-01", "Victoria Island", "Plot 32, Adeola Odeku Street, Victoria Island"],
  ["LA-08-A01-AA-02", "Victoria Island", "36 Adeola Odeku Street, Victoria Island"],
  ["LA-15-A01-AA-01", "Yaba", "5 Herbert Macaulay Way, Yaba"],
  ["LA-20-A01-AA-01", "Surulere", "7 Ogunlana Drive, Surulere"],
  ["LA-20-A01-AA-02", "Surulere", "9 Ogunlana Drive, Surulere"],
  ["LA-20-A02-AA-01", "Lawanson", "3 Itire Road, Lawanson"],
  ["LA-20-A02-AA-02", "Lawanson", "15 Aka Road, Lawanson"],
  ["NA-04-A01-AA-01", "Masaka", "64 Alhaji Terver Street, Masaka"],
  ["RI-15-A01-AA-01", "Woji", "11 Ahmadu Bello Way, Woji"],
  ["RI-22-A01-AA-01", "Diobu", "20 Ikwerre Road, Diobu"],
  ["LA-09-A01-AA-01", "Ibeju-Lekki", "12 Mission Road, Ibeju-Lekki"],
  ["LA-11-A01-AA-01", "Opebi", "12 Allen Avenue, Opebi"],
  ["OY-20-A01-AA-01", "Igbo-Ijan Phase 2", "2 Cocoa Way, Igbo-Ijan Phase 2"],
  ["OY-20-A01-AA-02", "Igbo-Ijan Phase 2", "16 Cocoa Way, Igbo-Ijan Phase 2"],
  ["OY-20-A01-AA-03", "Igbo-Ijan Phase 2", "12 Second Avenue, Igbo-Ijan Phase 2"],
  ["OY-20-A01-AA-04", "Igbo-Ijan Phase 2", "Community Hall, Igbo-Ijan Phase 2"],
  ["ED-02-A01-AA-02", "Uselu", "Egor Primary School, Uselu"],
  ["ED-02-A01-AA-04", "Uselu", "6 Mama Reclamation Street, Uselu"],
  ["ED-02-B01-AA-01", "Egor", "8 Mosque Street, Egor"],
  ["ED-02-B01-AA-02", "Egor", "10 Mosque Street, Egor"],
  ["ED-02-C01-AA-01", "Okhoro", "State School Block 1, Okhoro"],
  ["ED-02-C01-AA-02", "Okhoro", "State School Block 2, Okhoro"],
  ["ED-02-C01-AA-03", "Okhoro", "State School, Okhoro"],
  ["ED-02-C02-AA-01", "Ekosodin", "Ijehon Primary School I, Ekosodin"],
  ["ED-02-C02-AA-02", "Ekosodin", "Community School, Ekosodin"],
  ["ED-02-C02-AA-03", "Ekosodin", "Dynamic Comprehensive Secondary School, Ekosodin"],
  ["ED-02-C02-AA-04", "Ekosodin", "Local Govt Primary School, Ekosodin"],
  ["ED-02-C03-AA-01", "Alhaji Malari", "Alhaji Malari"],
  ["LA-11-C01-AA-01", "Karu", "Karu Senior High School, Karu"]
]

/** As many others, so that words are as rare as in a directory of a country. */
const others: TestAddresses = Array.from({ length: 600 }, (_, at) => {
  const postcode = `TA-01-B01-${"ABCDEFGHIJKLMNOP"[at % 16]}A-${String(Math.floor(at / 16)).padStart(2, "0")}`
  return [postcode, `Kona${at % 16}`, `${at} Bali${at % 200} Close, Kona${at % 16}`]
})

/** Units two kilometres apart, and the others elsewhere. */
const pointOf = (at: number) =>
  at < units.length ? { lat: 6 + at / 50, lon: 7 } : { lat: 9 + (at - units.length) / 1000, lon: 11 }

const directory = addressDirectory(places, [...units, ...others], { pointOf })

describe("a city that is called as its state", () => {
  it.each(["88 Hospital Road, Bauchi, Bauchi State", "88 Hospital Rd Bauchi, Bauchi"])(
    "%s is not a house elsewhere in the state",
    (text) => {
      expect(searchAddress(directory, text)).toMatchObject({
        code: expect.stringMatching(/^BA-02/),
        message: "Hospital Road has no such number in Wunti"
      })
    }
  )

  it.each(["47 Ladi Way, Bauchi, Bauchi State", "61 Musa Crescent, Kano, Kano State"])(
    "%s is no unit, though its only one is a candidate",
    (text) => {
      const answer = searchAddress(directory, text)
      expect(answer.precision).not.toBe("unit")
      expect(answer.action).toBe("ask")
    }
  )

  it.each([
    ["47 Ladi Way, Bauchi", "BA-08-A01-AA-02", "bauchi"],
    ["61 Musa Crescent, Kano", "KN-17-A01-AA-01", "kano"]
  ])("%s is confirmed, because it is not in the city", (text, code, town) => {
    const answer = searchAddress(directory, text)
    expect(answer).toMatchObject({ code, action: "confirm" })
    expect(answer.message).toContain(`the text says "${town}", too`)
  })

  it.each([
    ["47 Ladi Way, Bauchi State", "BA-08-A01-AA-02"],
    ["47 Ladi Way, Miya, Bauchi", "BA-08-A01-AA-02"],
    ["9 Jos Road, Bauchi, Bauchi State", "BA-02-A01-AA-02"],
    ["14 Nuhu Way, Kano", "KN-12-A02-AA-02"],
    ["14 Nuhu Way, Kano, Kano State", "KN-12-A02-AA-02"]
  ])("%s is accepted", (text, code) => {
    expect(searchAddress(directory, text)).toMatchObject({ code, action: "accept" })
  })

  it.each([
    ["Bauchi", "BA"],
    ["Bauchi, Bauchi State", "BA-02"],
    ["Kano", "KN"],
    ["Bauchi State", "BA"]
  ])("%s alone is %s", (text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
  })
})

describe("a city of several LGAs", () => {
  it.each([
    ["12 Mosque Street, Uselu, Benin City", "ED-02-A01-AA-01"],
    ["12 mosque street uselu benin city edo", "ED-02-A01-AA-01"],
    ["11 Ahmadu Bello Way, Woji, Port Harcourt", "RI-15-A01-AA-01"],
    ["11 Ahmadu Bello Way, Woji, PH", "RI-15-A01-AA-01"],
    ["64 Alhaji Terver Street, Masaka, Abuja", "NA-04-A01-AA-01"]
  ])("%s is accepted", (text, code) => {
    expect(searchAddress(directory, text)).toMatchObject({ code, action: "accept" })
  })

  it("a house in a suburb is confirmed without its locality", () => {
    expect(searchAddress(directory, "11 Ahmadu Bello Way, Port Harcourt")).toMatchObject({
      code: "RI-15-A01-AA-01",
      action: "confirm"
    })
  })

  it("the name of a former state means the states that it was split into", () => {
    expect(searchAddress(directory, "12 Mosque Street, Uselu, Bendel State").code).toBe("ED-02-A01-AA-01")
    expect(searchAddress(directory, "28 Station Road, Jimeta, Gongola State").code).toBe("AD-20-A01-AA-01")
    const { candidates, code } = searchAddress(directory, "Bendel")
    expect(code).toBeNull()
    expect(candidates.map((candidate) => candidate.code).sort()).toEqual(["DE", "ED"])
  })
})

describe("other places beside a house", () => {
  it.each([
    [
      "7 Ogunlana Drive, Lawanson, Surulere",
      "LA-20-A01-AA-01",
      '7 Ogunlana Drive is in Surulere; the text says "lawanson", too: check which is meant'
    ],
    [
      "7 Ogunlana Drive, Kpansia, Surulere",
      "LA-20-A01-AA-01",
      '7 Ogunlana Drive was found in Surulere; "kpansia" was not'
    ],
    [
      "7 Ogunlana Drive, Surulere, Lagos Mainland",
      "LA-20-A01-AA-01",
      '7 Ogunlana Drive is in Surulere; the text says "mainland", too: check which is meant'
    ],
    [
      "6 Mama Reclamation Street, Egor, Egor, Edo",
      "ED-02-A01-AA-04",
      '6 Mama Reclamation Street is in Uselu; the text says "egor", too: check which is meant'
    ]
  ])("%s is confirmed", (text, code, message) => {
    expect(searchAddress(directory, text)).toMatchObject({ code, action: "confirm", message })
  })

  it.each([
    ["Flat 5, 12 Mosque Street, Egor, Egor, Edo", "ED-02-B01-AA"],
    ["12 Mosque Street, Eggor, Egor, Edo", "ED-02-B01-AA"],
    ["8 Mosque Street, Egor, Egor, Edo", "ED-02-B01-AA-01"],
    ["12 Mosque Street, Egor, Edo", "ED-02-A01-AA-01"],
    ["12 Mosque Street, Uselu, Egor, Egor, Edo", "ED-02-A01-AA-01"],
    ["Egor Primary School, Egor, Edo", "ED-02-A01-AA-02"]
  ])("%s is in the town that is called as its LGA if it has the name twice", (text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
  })

  it("a house in the city is not in an LGA of its suburbs that the text names, too", () => {
    expect(searchAddress(directory, "14 Nuhu Way, Kumbotso, Kano").precision).not.toBe("unit")
  })

  it("a house of another state is no unit", () => {
    expect(searchAddress(directory, "7 Ogunlana Drive, Surulere, Kano State").precision).not.toBe("unit")
  })

  it("a street and a number without a place are confirmed", () => {
    expect(searchAddress(directory, "7 Ogunlana Drive")).toMatchObject({
      code: "LA-20-A01-AA-01",
      action: "confirm",
      message: "7 Ogunlana Drive was found in Surulere; the text names no place: check that it is meant"
    })
    expect(searchAddress(directory, "15 Aka Road")).toMatchObject({ code: null, action: "ask" })
  })

  it("a question does not ask for the state that the text has", () => {
    const { message } = searchAddress(directory, "Central mosque or Aka Road, Lagos State")
    expect(message).not.toContain("or the state")
  })
})

describe("a house near a landmark in another place", () => {
  it.each([
    ["7 Ogunlana Drive, Surulere, near 12 Allen Avenue, Ikeja", "accept", "one unit has this name in Surulere"],
    [
      "7 Ogunlana Drive, Surulere, near Zenith Bank, Ikeja",
      "confirm",
      '7 Ogunlana Drive is in Surulere; the text says "ikeja", too: check which is meant'
    ]
  ])("%s: %s", (text, action, message) => {
    expect(searchAddress(directory, text)).toMatchObject({ code: "LA-20-A01-AA-01", action, message })
  })
})

describe("words that have two meanings", () => {
  it.each([
    [
      "a Roman numeral before a relation",
      "Ijehon P/S I along Dynamic Compr. Sec. Sch., Ekosodin, Egor",
      "ED-02-C02-AA-01"
    ],
    [
      "a dot after an abbreviation",
      "Community School by Dynamic Compr. Secondary School, Ekosodin, Egor",
      "ED-02-C02-AA-02"
    ],
    ["a school of the local government", "Local Govt. Primary School, Ekosodin, Egor", "ED-02-C02-AA-04"],
    ["a local government", "Community School, Ekosodin, Egor Local Govt, Edo", "ED-02-C02-AA-02"],
    ["a block in a name", "State School Block 1, Okhoro, Egor", "ED-02-C01-AA-01"],
    ["a misspelled locality called after a person", "Alhaji Mmalari, Egor, Edo", "ED-02-C03-AA"]
  ])("%s: %s", (_, text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
  })

  it("a locality is named twice although an LGA elsewhere is called the same", () => {
    expect(searchAddress(directory, "Karu Senior High School, Karu").candidates[0]?.code).toBe("LA-11-C01-AA-01")
  })

  it("a landmark is not the place beside it", () => {
    const text = "Primary School III Ekosodin near Dynamic Comprehensive Secondary School, Ekosodin, Egor"
    expect(searchAddress(directory, text).precision).not.toBe("unit")
  })

  it.each([
    ["5 Nowhere Close, Yola North, Adamawa", "AD-20"],
    ["5 Nowhere Close, Bauchi, Bauchi", "BA-02"]
  ])("%s is in the LGA and not in a locality that is called as the state", (text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
  })
})

describe("a town that is called as an LGA elsewhere", () => {
  it.each(["Ado", "Opp. Fajuyi Park, Ado"])("%s is not certain", (text) => {
    const { action, candidates, code } = searchAddress(directory, text)
    expect([code, action]).toEqual([null, "ask"])
    expect(candidates.map((one) => one.code).sort()).toEqual(["BE-01", "EK-01"])
  })

  it.each([
    ["Ado, Benue", "BE-01"],
    ["Ado LGA, Benue State", "BE-01"],
    ["Ado, Ekiti", "EK-01"],
    ["Opposite the park, Ado, Ekiti State", "EK-01"],
    ["9 Ahmadu Bello Way, Basiri, Ado", "EK-01-A01-AA-01"],
    ["3 Market Road, Igumale, Ado", "BE-01-A01-AA-01"]
  ])("%s is %s", (text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
  })
})

describe("a place that is nearly, or partly, what the text has", () => {
  it.each([
    ["12 Lekki Road", null, "no place was found: add the local government area and the state"],
    ["Guoba Plaza, Utako, Abuja", "FC", '"guoba plaza utako" was not found in Federal Capital Territory'],
    ["Igbo-Ora, Oyo State", "OY", '"igbo ora" was not found in Oyo'],
    [
      "Nipost Building, Ekeocha Onicha, Ezinihitte LGA, Imo State",
      "IM-04",
      '"nipost building ekeocha" was not found in Ezinihitte'
    ],
    [
      "St. Nicholas House, opposite City Hall, Oyo State",
      "OY",
      'neither "st nicholas house" nor the landmark "hall" was found in Oyo'
    ],
    ["House 12, 4th Avenue, Igbo-Ijan Phase 2", "OY-20-A01-AA", '"4th" was not found in Igbo-Ijan Phase 2'],
    ["171 A.E. Ekukinam Street, Ikeja", "LA-11", '"171 a e ekukinam street" was not found in Ikeja']
  ])("%s: %s", (text, code, message) => {
    expect(searchAddress(directory, text)).toMatchObject({ code, message })
  })

  it("states and LGAs that contradict each other are told to callers that may see no more", () => {
    expect(searchAddress(directory, "Ikeja, Oyo", { finest: "lga" })).toMatchObject({
      code: null,
      message: "the text names Ikeja and Oyo: check which of them is meant"
    })
  })
})

describe("what people leave out, shorten and join", () => {
  it.each([
    ["no7 Ogunlana Drive, Surulere", "LA-20-A01-AA-01", "accept"],
    ["No7 ogunlana drive surulere", "LA-20-A01-AA-01", "accept"],
    ["nos 7&11 Ogunlana Drive, Surulere", "LA-20-A01-AA-01", "confirm"],
    ["no:7, Ogunlana Drive, Surulere", "LA-20-A01-AA-01", "accept"],
    ["9 A/Bello Way, Basiri, Ado Ekiti", "EK-01-A01-AA-01", "accept"],
    ["9 A. Bello Way Basiri Ado Ekiti", "EK-01-A01-AA-01", "accept"],
    ["9A Ahmadu Bello Way, Basiri", "EK-01-A01-AA-02", "accept"],
    ["32 Adeola Odeku, Victoria Island", "LA-08-A01-AA-01", "confirm"],
    ["Zenith Heights, 4th floor, Plot 32, Adeola Odeku, Victoria Island", "LA-08-A01-AA-01", "confirm"],
    ["32 adeola odeku street vi", "LA-08-A01-AA-01", "accept"],
    ["32 Adeola Odeku Street V/I", "LA-08-A01-AA-01", "accept"],
    ["PLOT 32 ADEOLA ODEKU STR V ISLAND LAGOS", "LA-08-A01-AA-01", "accept"],
    ["7 Ogunlana dr, S/L Lagos", "LA-20-A01-AA-01", "accept"],
    ["64 terver street masaka karu", "NA-04-A01-AA-01", "confirm"],
    ["Fagge Central Mosque, Fagge, Kano State", "KN-12-A01-AA-01", "confirm"],
    ["N0. 7 Ogunlana Drive, Surulere", "LA-20-A01-AA-01", "accept"],
    ["2 Cocoa Way, Igbo-Ijan Phase II", "OY-20-A01-AA-01", "accept"],
    ["Plot 16 Cocoa Way, Igbo-Ijan Phase 2", "OY-20-A01-AA-02", "accept"],
    ["12 2nd Avenue, Igbo-Ijan Phase 2", "OY-20-A01-AA-03", "accept"],
    ["no. 11 ahmadu bello way woji housing estate port harcourt", "RI-15-A01-AA-01", "confirm"],
    ["20 Ikwerre Road, Diobu, PHC, Rivers", "RI-22-A01-AA-01", "accept"],
    ["Ship to: Adaeze Nwosu\n7 Ogunlana Drive\nSurulere\nLagos\nT: 0803 444 5566", "LA-20-A01-AA-01", "accept"],
    ["7 Ogunlana Drive, Surulere. 3rd house on the left. Box 1029", "LA-20-A01-AA-01", "accept"]
  ])("%s", (text, code, action) => {
    expect(searchAddress(directory, text)).toMatchObject({ code, action })
  })

  it.each([
    ["Name: Blessing Etim Address: 7 Ogunlana Drive LGA: Surulere State: Lagos Phone: 08031234567", "accept"],
    ["Tolu Bankole | 08031234567 | 7 Ogunlana Drive | Surulere | Lagos", "accept"],
    ["<p><b>7 Ogunlana Drive</b><br/>Surulere,&nbsp;Lagos&nbsp;State</p>", "accept"],
    ["Tolu Bankole 7 Ogunlana Drive, Surulere", "accept"],
    ["7 Ogunlana Drive Surulere pls dont give gateman", "accept"],
    ["7 Ogunlana Drive Surulere estate gate code is 4471", "accept"],
    ["Malama Hadiza 7 Ogunlana Drive Surulere", "accept"]
  ])("%s is read", (text, action) => {
    expect(searchAddress(directory, text)).toMatchObject({ code: "LA-20-A01-AA-01", action })
  })
})

describe("a coordinate beside other words", () => {
  const { lat, lon } = { lat: 6 + 19 / 50, lon: 7 }

  it.each([
    [`Location: https://maps.example/?q=${lat},${lon}`, "accept"],
    [`https://maps.example/?q=${lat},${lon}.000 my house`, "confirm"],
    [`${lat}000,${lon}.0000 Surulere`, "accept"],
    [`7 Ogunlana Drive, Surulere ${lat}000,${lon}.0000`, "accept"]
  ])("%s is the unit there", (text, action) => {
    expect(searchAddress(directory, text)).toMatchObject({ code: "LA-20-A01-AA-01", action })
  })

  it("and an address far from it are both candidates", () => {
    const answer = searchAddress(directory, `20 Ikwerre Road, Diobu, Port Harcourt ${lat}000,${lon}.0000`)
    expect(answer).toMatchObject({ code: null, action: "confirm" })
    expect(answer.candidates.map(({ code }) => code)).toEqual(["RI-22-A01-AA-01", "LA-20-A01-AA-01"])
    expect(answer.message).toMatch(/^the coordinates and the address differ: /)
  })
})

describe("words that look like people or other names", () => {
  it.each([
    ["Malam Madori, Jigawa", "JI-21", []],
    ["12 Some Street, Mallam Madori", "JI-21", []],
    ["Malam Sani, Malam Madori", "JI-21", ["person"]]
  ])("%s is in that local government area", (text, code, kinds) => {
    const answer = searchAddress(directory, text)
    expect([answer.code, answer.understood.ignored.map(({ kind }) => kind)]).toEqual([code, kinds])
  })

  it.each([
    ["32 Adeola Odeku Street (Zenith) V.I Lagos", "LA-08-A01-AA-01"],
    ["32 Adeola Odeku Street V.I.", "LA-08-A01-AA-01"]
  ])("%s is in Victoria Island", (text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
  })
})

it.each(["P.H.", "P.H", "PH", "p.h.", "P/H", "P/Harcourt"])("autocomplete knows %s, too", (text) => {
  expect(complete(directory, text, 5).suggestions.map(({ prefix }) => prefix)).toEqual(["RI-22"])
  expect(searchAddress(directory, text).candidates[0]?.code).toBe("RI-22")
})
