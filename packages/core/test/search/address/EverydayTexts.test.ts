/** Short names, numbers and landmarks as shops and delivery notes write them. */
import { searchAddress } from "@postcode/core/AddressSearch"
import { describe, expect, it } from "vitest"
import { addressDirectory } from "./addressDirectory.ts"

const directory = addressDirectory(
  [
    ["BO", "Borno"],
    ["BO-02", "Askira/Uba"],
    ["DE", "Delta"],
    ["DE-14", "Oshimili North"],
    ["DE-15", "Oshimili South"],
    ["EK", "Ekiti"],
    ["EK-01", "Ado Ekiti"],
    ["KD", "Kaduna"],
    ["KD-09", "Kaduna North"],
    ["LA", "Lagos"],
    ["LA-11", "Ikeja"],
    ["LA-20", "Surulere"],
    ["RI", "Rivers"],
    ["RI-15", "Obio/Akpor"],
    ["RI-22", "Port Harcourt"]
  ],
  [
    ["DE-14-I07-AA-00", "Ibusa", "St. Thomas College, Ibusa, Oshimili North, Delta"],
    ["DE-15-A01-AA-00", "Asaba", "14 Nnebisi Road, Asaba, Oshimili South, Delta"],
    ["EK-01-C03-MD-61", "Ado Ekiti", "47 Government House Road, Ado Ekiti, Ekiti"],
    ["EK-01-C03-MD-62", "Ado Ekiti", "49 Government House Road, Ado Ekiti, Ekiti"],
    ["KD-09-C05-ON-45", "Ungwan Rimi", "57 Alhaji Haruna Street, Ungwan Rimi, Kaduna North, Kaduna"],
    ["KD-09-C06-ON-01", "Tudun Wada", "5 Sani Way, Tudun Wada, Kaduna North, Kaduna"],
    ["LA-11-B03-PD-02", "Ikeja", "12 Allen Avenue, Ikeja"],
    ["LA-11-B04-PD-02", "Ogba", "23 Oluwole Street, Ogba, Ikeja"],
    ["LA-20-B01-YC-42", "Surulere", "8 Bode Thomas Street, Surulere, Lagos"],
    ["RI-15-E06-ES-01", "Rumuokoro", "75 Market Street, Rumuokoro, Obio/Akpor, Rivers"],
    ["RI-15-E06-FS-11", "Rumuokoro", "Rumuokoro Microfinance Bank, Rumuokoro, Obio/Akpor, Rivers"],
    ["RI-22-D04-SR-05", "Port Harcourt", "70 Aggrey Road, Port Harcourt, Rivers"]
  ]
)

const search = (text: string) => searchAddress(directory, text)

describe("everyday texts", () => {
  it.each([
    ["57 Alhaji Haruna Street U/Rimi Kaduna", "KD-09-C05-ON-45"],
    ["5 Sani Way, T/Wada, Kaduna", "KD-09-C06-ON-01"],
    ["8 Bode Thomas Street S/lere Lagos", "LA-20-B01-YC-42"],
    ["70 Aggrey Road, PHC", "RI-22-D04-SR-05"],
    ["Fourteen, Nnebisi Road, Asaba", "DE-15-A01-AA-00"],
    ["Gida mai lamba 57, Alhaji Haruna Street, Ungwan Rimi, Kaduna", "KD-09-C05-ON-45"],
    ["Ojúlé 12, Allen Avenue, Ikeja", "LA-11-B03-PD-02"]
  ])("%s is accepted as %s", (text, code) => {
    expect(search(text)).toMatchObject({ code, action: "accept" })
    expect(search(text).understood.unmatched).toEqual([])
  })

  it.each([
    "8 Bode Thomas Street Surulere Lagos ticket 4471",
    "8 Bode Thomas Street Surulere #4471",
    "ticket B-4471 8 Bode Thomas Street, Surulere",
    "parcel for Jumia 300451987 to 8 Bode Thomas Street, Surulere"
  ])("%s has a number that is not the house's", (text) => {
    expect(search(text)).toMatchObject({ code: "LA-20-B01-YC-42", action: "confirm" })
  })

  it.each([
    "8 Bode Thomas Street Surulere 2",
    "8 Bode Thomas Street Surulere Phase 2",
    "12 8 Bode Thomas Street, Surulere",
    "Road 5 8 Bode Thomas Street, Surulere"
  ])("%s may be another house", (text) => {
    expect(search(text).precision).not.toBe("unit")
  })

  it.each([
    "8 Bode Thomas Street, Surulere, Lagos. Order #A-4471",
    "Invoice No: 77120, 8 Bode Thomas Street, Surulere",
    "8 Bode Thomas Street Surulere waybill GIG-2231-LOS",
    "Order: 8 Bode Thomas Street, Surulere"
  ])("the number of an order is set aside: %s", (text) => {
    expect(search(text)).toMatchObject({ code: "LA-20-B01-YC-42", action: "accept" })
  })

  it.each(["Rumuokoro, by the flyover", "by the flyover, Rumuokoro"])("%s is in the locality", (text) => {
    expect(search(text)).toMatchObject({ code: "RI-15-E06", action: "confirm" })
  })

  it.each(["(the lane after UBA)", "opposite UBA"])("%s names a bank", (text) => {
    expect(search(text).code).toBeNull()
  })

  it.each(["opposite Uba, Borno", "near UBA, Askira", "UBA, BORNO"])("%s names the local government area", (text) => {
    expect(search(text).code).toBe("BO-02")
  })

  it("the town after a box is that of the post office", () => {
    const answer = search("The Principal, St. Thomas' College Ibusa, P.M.B. 1003, Asaba, Delta State")
    expect(answer).toMatchObject({ code: "DE-14-I07-AA-00", action: "confirm" })
    expect(answer.understood.ignored).toEqual([{ kind: "box", text: "P.M.B. 1003, Asaba" }])
    expect(search("P.M.B. 1003, Asaba").code).toMatch(/^DE-15/)
  })

  it("a street is only proposed if the text has no word such as road", () => {
    expect(search("Government House, Ado Ekiti").message).toBe(
      "did you mean the street Government House Road in Ado Ekiti? If so, add a house number"
    )
  })

  it("a house whose number the text does not have is no proposal", () => {
    expect(search("Computer Village, Otigba Street, Ikeja").message).toBe(
      '"computer otigba street" was not found in Ikeja'
    )
  })

  it.each([
    ["Computer, Olumele Ogba, Ikeja", "LA-11", ["computer", "olumele"]],
    ["Computer, Oluwele Ogba, Ikeja", "LA-11", ["computer"]],
    ["Computer Village, Bode Thumos Surulere Lagos", "LA-20", ["computer", "thumos"]]
  ])("%s: a word of another name, corrected by more than one letter, was not found", (text, code, unmatched) => {
    const answer = search(text)
    expect(answer).toMatchObject({ code, understood: { unmatched } })
    expect(answer.message).toContain(`"${unmatched.join(" ")}" was not found`)
  })

  it("a bracket around a request is not part of it", () => {
    const { ignored } = search("12 Allen Avenue, Ikeja (ask for Musa)").understood
    expect(ignored).toEqual([{ kind: "person", text: "ask for Musa" }])
  })
})
