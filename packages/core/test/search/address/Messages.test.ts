/** The table of messages: texts for each of them, with the whole message. */
import { searchAddress } from "@postcode/core/AddressSearch"
import { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { describe, expect, it } from "vitest"
import type { messages } from "../../../src/search/address/answer/messageOf.ts"
import { fixtureDirectory } from "./AddressFixture.ts"
import { hardNamesDirectory } from "./HardNamesFixture.ts"

const directory = fixtureDirectory()

type Case = readonly [text: string, message: string, directory?: Directory]

/** By the name of the message: a new one has no case, so that types fail. */
const cases: Readonly<Record<keyof typeof messages, ReadonlyArray<Case>>> = {
  nothing: [["N/A", "this says that there is no address"]],
  noWords: [["!!!", "no words: write a street, a place or a local government area"]],
  onlyAside: [
    ["0803 123 4567", '"0803 123 4567" is no address: write a street, a place or a local government area'],
    ["Flat 3", '"Flat 3" is no address: write a street, a place or a local government area']
  ],
  noPlace: [["xyzzy qwfp", "no place was found: add the local government area and the state"]],
  several: [["Surulere", "several places match: add the local government area or the state"]],
  severalIn: [["12 Allen Avenue, Lagos, Ekiti", "several places in Lagos match: add the local government area"]],
  similar: [
    [
      "14 Palise Road",
      'no place is called "palise", but several nearly so: check the spelling, or add the local government area or the state',
      hardNamesDirectory()
    ]
  ],
  contradiction: [
    ["Ikeja, Oyo", "the text names Ikeja and Oyo: check which of them is meant"],
    [
      "12 Aba Street, Ikeja, Surulere, Lagos",
      '"12 aba street" was not found; the text names Ikeja and Surulere: check which of them is meant'
    ]
  ],
  choose: [
    [
      "7 Oko Primary School, Surulere, Oyo",
      '"7" was not found in Oko; several units match in Oko: choose one of them, or add the locality'
    ]
  ],
  confirmOne: [
    ["Eziama school, Aba North", "did you mean Eziama High School, Eziama, Aba North, Abia?"],
    ["Okigwe Road Primary School, Eziama", "did you mean Okigwe Road Primary School 2, Eziama, Aba North, Abia?"]
  ],
  otherPlace: [
    ["12 Allen Avenue, Aguda, Ikeja", '12 Allen Avenue is in Ikeja; the text says "aguda", too: check which is meant'],
    [
      "Opebi Road 3, Lagos, Abia",
      'this may be 3 Opebi Road, Ikeja, Lagos; the text says "abia", too: check which is meant'
    ]
  ],
  differ: [
    ["Osusu, Aba South", 'Aba South and "osusu" are different places: check which of them is meant'],
    ["Aguda, Ojodu, Lagos", 'Aguda, Surulere, Lagos and "ojodu" are different places: check which of them is meant']
  ],
  nowhere: [["1 Ijaiye Road", "1 Ijaiye Road was found in Ojokoro; the text names no place: check that it is meant"]],
  otherStreet: [
    [
      "12 Allen, Ikeja",
      "12 Allen Avenue was found in Ikeja; the text does not say whether it is a road, a street or another: check that it is meant"
    ]
  ],
  offStreet: [["5 Some Street off Allen Avenue, Ikeja", '"5 some street" was not found; Allen Avenue is in Ikeja']],
  noSuchNumber: [["99 Allen Avenue, Ikeja", "Allen Avenue has no such number in Ikeja"]],
  noSuchFlat: [["Flat 3, 16 Allen Avenue, Ikeja", "Allen Avenue has no Flat 3 in Ikeja"]],
  otherSpelling: [
    [
      "12 Allen Avenue, Ikaja",
      "12 Allen Avenue was found in Ikeja; the text writes it otherwise: check that it is meant"
    ],
    [
      "5 Rlwy Rd, Ibeku, Umuahia North",
      "5 Railway Road was found in Ibeku; the text writes it otherwise: check that it is meant",
      hardNamesDirectory()
    ]
  ],
  otherNumber: [["12B Allen Avenue, Ikeja", "12 Allen Avenue was found in Ikeja; the number in the text differs"]],
  besides: [["Pelican Estate, 12 Allen Avenue, Ikeja", '12 Allen Avenue was found in Ikeja; "pelican estate" was not']],
  landmark: [
    [
      "behind Fabian Hotel, Ado Ekiti",
      "Fabian Hotel was found in Ajilosun; the place is behind it: add a name or a house number"
    ]
  ],
  noLandmark: [
    [
      "behind the blue church, Eziama, Aba North",
      'the landmark "blue church" was not found in Eziama: add a name or a house number'
    ]
  ],
  noHouseOrLandmark: [
    [
      "5 Some Street, close to the blue church, Eziama, Aba North",
      'neither "5 some street" nor the landmark "blue church" was found in Eziama'
    ]
  ],
  noName: [["near Ikeja", "the place is near something in Ikeja: add a name or a house number"]],
  notFound: [["zubufa school, Osusu, Aba North", '"zubufa school" was not found in Osusu']],
  unit: [["Fabian Hotel, Ajilosun", "one unit has this name in Ajilosun"]],
  street: [["Opebi Road, Ikeja", "Opebi Road is a street in Ikeja: add a house number"]],
  likeStreet: [["Allen, Ikeja", "did you mean the street Allen Avenue in Ikeja? If so, add a house number"]],
  severalOfName: [
    ["12 Allen Avenue, Lagos", "several units have this name in Lagos: choose one of them, or add the locality"]
  ],
  severalOfLocality: [["Living Word Academy, Ohabiam", "several units have this name in Ohabiam: choose one of them"]],
  locality: [["Osusu, Aba North", "Osusu is a whole locality: add a street with a house number, or a name"]],
  town: [["Aba", "several local government areas have this name: add which one is meant"]],
  lga: [["Ikeja", "a whole local government area: add a street or a place"]],
  state: [["Lagos", "a whole state: add the local government area, and a street or a place"]]
}

/** Messages of texts that were not searched as an address, or not completely. */
const otherCases: ReadonlyArray<readonly [what: string, search: () => { readonly message: string }, message: string]> =
  [
    ["a postcode", () => searchAddress(directory, "LA-11-B03-PD-02"), "this is the postcode of an active unit"],
    [
      "the start of postcodes",
      () => searchAddress(directory, "LA-11-B03"),
      "this is the start of postcodes: add the rest"
    ],
    [
      "a postcode that no unit has",
      () => searchAddress(directory, "LA-11-B03-PD-99"),
      "no unit has the postcode LA-11-B03-PD-99"
    ],
    [
      "a start that no unit has",
      () => searchAddress(directory, "LA-99"),
      "no active unit has a postcode that starts with LA-99"
    ],
    [
      "a retired postcode",
      () => searchAddress(fixtureDirectory(["LA-11-B03-PD-02"], "LA-11-B03-PD-01" as Postcode), "LA-11-B03-PD-02"),
      "LA-11-B03-PD-02 is retired and replaced by LA-11-B03-PD-01"
    ],
    [
      "a postcode and another address",
      () => searchAddress(directory, "12 Allen Avenue, Ikeja LA-11-B03-PD-01"),
      "the postcode and the address differ: LA-11-B03-PD-01 is in Ikeja, Lagos, the address is 12 Allen Avenue, Ikeja, Lagos"
    ],
    [
      "coordinates",
      () => searchAddress(directory, "6.01500, 7.00000"),
      "these are coordinates: the nearest active unit is 0 m away"
    ],
    [
      "coordinates of a caller who may see LGAs only",
      () => searchAddress(directory, "6.01500, 7.00000", { finest: "lga" }),
      "these are coordinates, and no address: reverse geocoding finds their unit"
    ],
    [
      "an address of a caller who may see LGAs only",
      () => searchAddress(directory, "12 Allen Avenue, Ikeja", { finest: "lga" }),
      'Ikeja was found; "12 allen avenue" was not searched for: that takes a key of level 2 or higher with the scope "search"'
    ],
    [
      "a directory without addresses",
      () => searchAddress(new Directory({ ...directory.contents, addresses: undefined }), "Allen Avenue, Ikeja"),
      'Ikeja was found; "allen avenue" was not searched for: this directory has no addresses'
    ]
  ]

describe("messages", () => {
  it.each(
    Object.entries(cases).flatMap(([name, texts]) =>
      texts.map(([text, message, of = directory]) => [name, text, message, of] as const)
    )
  )("%s: %s", (_, text, message, of) => {
    expect(searchAddress(of, text).message).toBe(message)
  })

  it.each(otherCases)("%s", (_, search, message) => {
    expect(search().message).toBe(message)
  })

  it("each has a case", () => {
    expect(Object.entries(cases).flatMap(([name, texts]) => (texts.length === 0 ? [name] : []))).toEqual([])
  })
})
