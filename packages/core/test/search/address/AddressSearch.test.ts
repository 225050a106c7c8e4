import { searchAddress } from "@postcode/core/AddressSearch"
import { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { describe, expect, it } from "vitest"
import { snapshotOf } from "../../directory/snapshot/SnapshotBytes.ts"
import { fixtureDirectory, fixtureUnits } from "./AddressFixture.ts"

const directory = fixtureDirectory()

describe("searchAddress", () => {
  it.each([
    ["aba north phc eziama", "AB-01-E01-AA-02"],
    ["Eziama, Aba North PHC", "AB-01-E01-AA-02"],
    ["Newtrend Primary School Osusu", "AB-01-A09-AA-00"],
    ["newtrnd p.s. osusu abia", "AB-01-A09-AA-00"],
    ["12 allen avenue ikeja", "LA-11-B03-PD-02"],
    ["No. 12 Allen Ave., Ikeja, Lagos State", "LA-11-B03-PD-02"],
    ["14a allen avenue ikeja", "LA-11-B03-PD-04"],
    ["14 A, Allen Avenue, Ikeja", "LA-11-B03-PD-04"],
    ["12 allen avenue beside 14 allen avenue, ikeja", "LA-11-B03-PD-02"],
    ["Flat 2, 16 Allen Avenue, Ikeja", "LA-11-B03-PD-06"],
    ["12 Allen Avenue Surulere Lagos", "LA-20-A01-AA-01"],
    ["Oko Primary School 2, Surulere", "OY-33-A01-AA-02"],
    ["fabian hotel opposite the new bank, ado ekiti", "EK-01-A01-AA-00"],
    ["Holy Trinity Grammar School near Fabian Hotel, Ajilosun, Ado Ekiti", "EK-01-A01-AA-01"],
    ["Fabian Hotel 2 houses after Holy Trinity Grammar School, Ajilosun", "EK-01-A01-AA-00"],
    ["Santa Jesse Nur/Pry Sch sharing fence with Eziama High School, Eziama, Aba North", "AB-01-E01-AA-03"],
    ["newtrend prim scho osusu, aba north", "AB-01-A09-AA-00"],
    ["hly trnty grmmr schl, ado ekiti", "EK-01-A01-AA-01"],
    ["Santa Jesse NPS, Eziama", "AB-01-E01-AA-03"],
    ["Holy Trinity GS, Ajilosun, Ado Ekiti", "EK-01-A01-AA-01"],
    ["Newtrend Primary School, Osusu, Aba North Local Government Area", "AB-01-A09-AA-00"]
  ])("%s is one unit", (text, code) => {
    const answer = searchAddress(directory, text)
    expect(answer.code).toBe(code)
    expect(answer.precision).toBe("unit")
  })

  it.each([
    ["Ikeja", "LA-11"],
    ["lagos ikeja", "LA-11"],
    ["Ikeja, Lagos State", "LA-11"],
    ["lagos", "LA"],
    ["kogi", "KO"],
    ["Kogi LGA, Kogi State", "KO-11"],
    ["surulere oyo", "OY-33"]
  ])("%s is a state or a local government area", (text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
    expect(searchAddress(directory, text, { finest: "lga" }).code).toBe(code)
  })

  it("a street without a number gives the smallest code that contains it", () => {
    expect(searchAddress(directory, "allen avenue ikeja").code).toBe("LA-11-B03-PD")
  })

  it.each([
    ["12 allen avenue, ikeja", 'Ikeja was found; "12 allen avenue" was not searched for: ', "confirm"],
    ["behind ikeja", "Ikeja was found; a street or a place was not searched for: ", "confirm"],
    ["12 allen avenue, lagos", 'Lagos was found; "12 allen avenue" was not searched for: ', "ask"],
    ["nothing like it", 'no state or local government area was found; "nothing like it" was not searched for: ', "ask"],
    ["LA-11-B03-PD-01", "only the local government area of this postcode was searched: lookup answers", "ask"],
    ["LA-11-B03", "only the local government area of this postcode was searched: lookup answers", "ask"]
  ])(
    "%s, searched among states and local government areas only, is not told to be missing",
    (text, message, action) => {
      const answer = searchAddress(directory, text, { finest: "lga" })
      expect(answer).toMatchObject({ action, limited_to: "lga" })
      expect(answer.message.slice(0, message.length)).toBe(message)
      expect(answer.message).toMatch(/a key of level 2 or higher with the scope "search"$|whether the unit exists$/)
    }
  )

  it("a whole text of states and local government areas is accepted at that limit", () => {
    expect(searchAddress(directory, "Ikeja, Lagos", { finest: "lga" })).toMatchObject({
      action: "accept",
      limited_to: "lga",
      message: "one local government area has this name"
    })
  })

  it("a directory without addresses says that it has none", () => {
    const places = new Directory({ ...directory.contents, addresses: undefined })
    expect(searchAddress(places, "12 allen avenue, ikeja")).toMatchObject({
      code: "LA-11",
      action: "ask",
      limited_to: "lga",
      message: 'Ikeja was found; "12 allen avenue" was not searched for: this directory has no addresses'
    })
  })

  it("an answer of everything has no limit", () => {
    expect(searchAddress(directory, "12 allen avenue, ikeja")).not.toHaveProperty("limited_to")
  })

  it("numbers are never guessed", () => {
    const answer = searchAddress(directory, "21 allen avenue ikeja")
    expect(answer.precision).not.toBe("unit")
    expect(answer.message).toContain("no such number")
  })

  it("two units of one name in one area give the area", () => {
    expect(searchAddress(directory, "living word academy aba south").code).toBe("AB-02-A01-AA")
  })

  it("two places of one name in two states give candidates", () => {
    const answer = searchAddress(directory, "surulere")
    expect(answer.code).toBeNull()
    expect(
      answer.candidates
        .map(({ code }) => code)
        .slice(0, 2)
        .sort()
    ).toEqual(["LA-20", "OY-33"])
  })

  it("a landmark is not the answer", () => {
    const answer = searchAddress(directory, "behind fabian hotel, ado ekiti")
    expect(answer.precision).not.toBe("unit")
    expect(answer.code).toMatch(/^EK-01/)
    expect(answer.understood.relation).toBe("behind")
  })

  it.each([
    ["100m from fabian hotel, ado ekiti", "100m from"],
    ["few meters from fabian hotel, ado ekiti", "few meters from"],
    ["not far from fabian hotel, ado ekiti", "not far from"],
    ["two streets away from fabian hotel, ado ekiti", "2 streets away from"],
    ["blue gate just after fabian hotel, ado ekiti", "just after"],
    ["along fabian hotel, ado ekiti", "along"],
    ["sharing fence with fabian hotel, ado ekiti", "sharing fence with"]
  ])("%s has a landmark", (text, relation) => {
    const answer = searchAddress(directory, text)
    expect(answer.precision).not.toBe("unit")
    expect(answer.code).toMatch(/^EK-01/)
    expect(answer.understood).toMatchObject({ name: "Fabian Hotel", relation })
  })

  it("a misspelled place among other words is only a candidate", () => {
    const answer = searchAddress(directory, "do not turn ikejah blue")
    expect(answer.code).toBeNull()
    expect(answer.candidates.map(({ code }) => code)).toContain("LA-11")
  })

  it.each(["ikeja oyo", "aba north, lagos"])("%s contradicts itself, and gives candidates", (text) => {
    const { candidates, code, confidence } = searchAddress(directory, text)
    expect([code, confidence]).toEqual([null, "low"])
    const [lga, state] = text.startsWith("ikeja") ? ["LA-11", "OY"] : ["AB-01", "LA"]
    expect(candidates.map((candidate) => candidate.code)).toEqual(expect.arrayContaining([lga, state]))
  })

  it("a word that names a state or LGA is not corrected to another one", () => {
    const answer = searchAddress(directory, "Oko Primary School 2, Oko, Ekiti")
    expect(answer.code).not.toBe("OY-33-A01-AA-02")
  })

  it("an invented name in a real locality gives no unit", () => {
    const answer = searchAddress(directory, "Zubufa primary school, Osusu, Aba North")
    expect(answer.precision).not.toBe("unit")
    expect(answer.code).toMatch(/^AB-01/)
    expect(answer.understood.unmatched).toContain("zubufa")
  })

  it("a postcode is found, near or retired", () => {
    expect(searchAddress(directory, "la 11 b03 pd 02")).toMatchObject({ code: "LA-11-B03-PD-02", action: "accept" })
    const near = searchAddress(directory, "LA-11-B03-PD-0I")
    expect(near.code).toBeNull()
    expect(near.candidates[0]?.code).toBe("LA-11-B03-PD-01")
    const retired = searchAddress(fixtureDirectory(["LA-11-B03-PD-02"]), "LA-11-B03-PD-02")
    expect(retired.code).toBeNull()
    expect(retired.message).toBe("LA-11-B03-PD-02 is retired")
    const replaced = fixtureDirectory(["LA-11-B03-PD-02"], "LA-11-B03-PD-01" as Postcode)
    expect(searchAddress(replaced, "LA-11-B03-PD-02").message).toBe(
      "LA-11-B03-PD-02 is retired and replaced by LA-11-B03-PD-01"
    )
  })

  it("a retired unit is not answered", () => {
    const { code } = searchAddress(fixtureDirectory(["LA-11-B03-PD-02"]), "12 allen avenue ikeja")
    expect(code).not.toBe("LA-11-B03-PD-02")
  })

  it.each([
    ["Flat 3, Block B, 12 Allen Avenue, Ikeja", "Flat 3, Block B", []],
    ["Mrs. Adaeze Okafor, 12 Allen Avenue, Ikeja, Lagos 100001", null, ["person", "code"]],
    ["Address: 12 Allen Avenue, Ikeja, Nigeria. Tel: 08031234567", null, ["label", "country", "contact"]],
    ["12 Allen Avenue, Ikeja, Lagos 100001. Tel 0803 123 4567", null, ["code", "contact"]],
    ["Opposite Zenith Bank, 12 Allen Avenue, Ikeja", null, []],
    ["12 Allen Avenue, off Some Way, Ikeja", null, []],
    ["House No. 12 Allen Avenue, Ikeja", null, []]
  ])("%s is accepted without what stands around it", (text, subpremise, kinds) => {
    const { action, code, understood } = searchAddress(directory, text)
    expect([code, action]).toEqual(["LA-11-B03-PD-02", "accept"])
    expect(understood.subpremise).toBe(subpremise)
    expect(understood.ignored.map(({ kind }) => kind)).toEqual(kinds)
  })

  it.each([
    ["Pelican Estate, 12 Allen Avenue, Ikeja", '12 Allen Avenue was found in Ikeja; "pelican estate" was not'],
    ["12 Allen Avenue, Ikeja, Ticket 88213", '12 Allen Avenue was found in Ikeja; "ticket 88213" was not'],
    ["12B Allen Avenue, Ikeja", "12 Allen Avenue was found in Ikeja; the number in the text differs"],
    ["12-99 Allen Avenue, Ikeja", "12 Allen Avenue was found in Ikeja; the number in the text differs"]
  ])("%s keeps the unit, to be confirmed", (text, message) => {
    expect(searchAddress(directory, text)).toMatchObject({ code: "LA-11-B03-PD-02", action: "confirm", message })
  })

  it("an address of several lines has a house number", () => {
    expect(searchAddress(directory, "4 Berger Lane, Ojodu")).toMatchObject({
      code: "LA-11-C01-AA-02",
      action: "accept"
    })
  })

  it("words before a house that fits in every part need no confirmation", () => {
    const answer = searchAddress(directory, "Adaeze Okafor, 12 Allen Avenue, Ikeja, Lagos")
    expect(answer).toMatchObject({ code: "LA-11-B03-PD-02", action: "accept" })
    expect(answer.understood.unmatched).toEqual(["adaeze", "okafor"])
  })

  it.each(["12 Upper Allen Avenue, Ikeja", "12 Allen Avenue Extension, Ikeja", "12 Allen Close, Ikeja"])(
    "%s is another street",
    (text) => {
      expect(searchAddress(directory, text).precision).not.toBe("unit")
    }
  )

  it.each([
    ["Osusu, Aba North", "AB-01-A09-AA", "Osusu is a whole locality: add a street with a house number, or a name"],
    ["Opebi Road, Ikeja", "LA-11-B03-PE", "Opebi Road is a street in Ikeja: add a house number"],
    ["99 Allen Avenue, Ikeja", "LA-11-B03-PD", "Allen Avenue has no such number in Ikeja"],
    ["Flat 3, 16 Allen Avenue, Ikeja", "LA-11-B03-PD", "Allen Avenue has no Flat 3 in Ikeja"]
  ])("%s gives the area, never its only unit", (text, code, message) => {
    expect(searchAddress(directory, text)).toMatchObject({ code, action: "confirm", message })
  })

  it.each([
    ["Surulere Road, Ikeja", "LA-11"],
    ["Kogi-Surulere Expressway, Ikeja", "LA-11"],
    ["Aba Road, Ado Ekiti", "EK-01"],
    ["KM 14 Ikeja-Surulere Road, Aba", "AB"]
  ])("%s is in the place after the road's name", (text, code) => {
    expect(searchAddress(directory, text).code).toBe(code)
  })

  it("a town means all LGAs that it consists of", () => {
    const answer = searchAddress(directory, "Aba")
    expect(answer).toMatchObject({
      code: "AB",
      message: "several local government areas have this name: add which one is meant"
    })
    expect(
      answer.candidates
        .map(({ code }) => code)
        .slice(0, 2)
        .sort()
    ).toEqual(["AB-01", "AB-02"])
  })

  it("a postcode and an address that differ are both candidates", () => {
    const answer = searchAddress(directory, "12 Allen Avenue, Ikeja LA-11-B03-PD-01")
    expect(answer).toMatchObject({ code: null, action: "confirm" })
    expect(answer.candidates.map(({ code }) => code)).toEqual(["LA-11-B03-PD-02", "LA-11-B03-PD-01"])
    expect(answer.message).toMatch(/^the postcode and the address differ: /)
    expect(searchAddress(directory, "Postcode: LA-11-B03-PD-02, 12 Allen Avenue, Ikeja").action).toBe("accept")
    expect(searchAddress(directory, "12 Allen Avenue, Surulere LA-11-B03-PD-02", { finest: "lga" }).action).toBe(
      "confirm"
    )
  })

  it.each([
    "6.01500, 7.00000",
    "https://maps.example/?q=6.015,7.0",
    "https://maps.example/@6.015,7.0,17z",
    "geo:6.015,7",
    "6°0'54\"N 7°0'0\"E"
  ])("%s is reverse geocoded", (text) => {
    expect(searchAddress(directory, text)).toMatchObject({ code: "LA-11-B03-PD-01", action: "accept" })
    expect(searchAddress(directory, text, { finest: "lga" })).toMatchObject({ code: null, limited_to: "lga" })
  })

  it("coordinates far from every unit have no code", () => {
    expect(searchAddress(directory, "9.5, 3.25").code).toBeNull()
    expect(searchAddress(directory, "9.51, 3.25").message).toBe(
      "these are coordinates: no active unit lies within 250 m of them"
    )
  })

  it.each([
    ["N/A", "this says that there is no address"],
    ["", "no words: write a street, a place or a local government area"],
    ["100001", '"100001" is no address: write a street, a place or a local government area'],
    ["xyzzy qwfp", "no place was found: add the local government area and the state"],
    [
      "behind the blue church, Eziama, Aba North",
      'the landmark "blue church" was not found in Eziama: add a name or a house number'
    ],
    [
      "behind Fabian Hotel, Ado Ekiti",
      "Fabian Hotel was found in Ajilosun; the place is behind it: add a name or a house number"
    ],
    ["Ikeja", "a whole local government area: add a street or a place"],
    ["Lagos", "a whole state: add the local government area, and a street or a place"]
  ])("the message about %s is true", (text, message) => {
    expect(searchAddress(directory, text).message).toBe(message)
  })

  it("format characters and full-width forms are folded", () => {
    for (const text of ["LA-11-B03\u200b-PD-02", "ＬＡ-11-B03-PD-02.", "1\u00ad2 Allen\u202a Avenue, Ikeja"]) {
      expect(searchAddress(directory, text).code).toBe("LA-11-B03-PD-02")
    }
  })

  it("a text of 500 characters keeps its house", () => {
    const text = `12 Allen Avenue, Ikeja, ${"some more words that nobody needs ".repeat(20)}`.slice(0, 500)
    expect(searchAddress(directory, text)).toMatchObject({ code: "LA-11-B03-PD-02", action: "confirm" })
  })

  it("a snapshot has the addresses only if it is written with them", () => {
    const withThem = Directory.open(snapshotOf(directory, { addresses: true }))
    for (const [, , address] of fixtureUnits) {
      expect(searchAddress(withThem, address)).toEqual(searchAddress(directory, address))
    }
    const without = Directory.open(snapshotOf(directory))
    expect(without.addresses).toBeUndefined()
    expect(searchAddress(without, "aba north phc eziama").code).toBe("AB-01")
    expect(Buffer.from(snapshotOf(directory)).includes("Newtrend")).toBe(false)
  })
})
