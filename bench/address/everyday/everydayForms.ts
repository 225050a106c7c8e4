/**
 * What people write around an address: each form says nothing about another house, so that the unit stays the same.
 *
 * `listed` forms are of kinds that the grammar of surroundings knows. `unlisted` ones are of no kind: the model must
 * price them without knowing them.
 */
import type { Lot } from "../texts/Lot.ts"

/** An address that is accepted as it is. */
export interface PlainAddress {
  readonly postcode: string
  /** `12`, or empty for a name. */
  readonly number: string
  /** `Allen Avenue`, or a name such as `Aba North PHC`. */
  readonly street: string
  /** `12 Allen Avenue`, or the name. */
  readonly line: string
  /** `Ikeja, Lagos`. */
  readonly places: string
}

/** Undefined if the address has nothing to which it applies. */
export type EverydayForm = (address: PlainAddress, lot: Lot) => string | undefined

type Around = readonly [before: string, after?: string]

const around =
  ([before, after = ""]: Around): EverydayForm =>
  ({ line, places }) =>
    `${before}${line}, ${places}${after}`

const between =
  (text: string): EverydayForm =>
  ({ line, places }) =>
    `${line}${text}, ${places}`

/** Forms by kind, each under a name of its own. */
const byKind: Readonly<Record<string, Readonly<Record<string, EverydayForm>>>> = {
  subpremise: {
    flat: around(["Flat 3, "]),
    "flat without comma": ({ line, number, places }) => (number === "" ? undefined : `Flat 3 ${line}, ${places}`),
    apartment: around(["Apartment 4B, "]),
    "suite and floor": around(["Suite 4, 2nd Floor, "]),
    shop: around(["Shop 5, "]),
    office: around(["Office 12, "]),
    room: around(["Room 7, "]),
    block: around(["Block C, Flat 9, "]),
    "flat and block": around(["Flat 3 Block B "]),
    wing: around(["Wing B, "]),
    "ground floor": around(["Ground floor, "]),
    "third flr": around(["3rd flr, "]),
    "first floor in words": around(["First Floor, "]),
    level: around(["Level 2, "]),
    "behind the line": between(", Flat 2"),
    "last floor at the end": around(["", ", last floor"]),
    "top floor": around(["Top floor flat, "]),
    "boys quarters": around(["BQ, "])
  },
  people: {
    "recipient with title": around(["Mrs. Adaeze Okafor, "]),
    recipient: around(["Adaeze Okafor, "]),
    "recipient in capitals": around(["TUNDE BAKARE, "]),
    "care of": around(["c/o Mama Ngozi, "]),
    attention: around(["Attn: Mr Bola Ade, "]),
    "deliver to": around(["Deliver to Alhaji Musa Ibrahim, "]),
    "chief and honours": around(["Chief (Dr.) Emeka Obi JP, "]),
    "at the end": around(["", ", Engr. Sule Danladi"]),
    "without comma": ({ line, number, places }) => (number === "" ? undefined : `Mr Femi Johnson ${line}, ${places}`)
  },
  reach: {
    phone: around(["", ", 08031234567"]),
    "phone with country": around(["", ", +234 803 123 4567"]),
    "tel with hyphens": around(["", ". Tel: 0803-123-4567"]),
    gsm: around(["", " GSM 07061234567"]),
    whatsapp: around(["", ", WhatsApp 09012345678"]),
    "two phones": around(["", ", 08031234567 / 08091234567"]),
    "phone first": around(["08031234567, "]),
    landline: around(["", ", Phone: 01-7654321"]),
    email: around(["", ", adaeze.okafor@example.com"]),
    "recipient and phone": around(["Ngozi Eze 08123456789, "])
  },
  boxes: {
    "po box": around(["P.O. Box 123, "]),
    pmb: around(["", ", P.M.B. 1234"]),
    "po box plain": around(["", ", PO Box 5512"])
  },
  codes: {
    "six digits": around(["", " 100001"]),
    "six digits apart": around(["", ", 100 271"]),
    "postal code label": around(["", ", Postal code: 100001"]),
    "zip code": around(["", ". Zip code 100271"]),
    "six digits before country": around(["", ", 100001, Nigeria"]),
    "plus code": around(["", ", H9XQ+84"])
  },
  country: {
    nigeria: around(["", ", Nigeria"]),
    nga: around(["", ", NGA"]),
    naija: around(["", ", Naija"]),
    "west africa": around(["", ", Nigeria, West Africa"]),
    ng: around(["", " NG"])
  },
  labels: {
    address: around(["Address: "]),
    "delivery address": around(["Delivery address - "]),
    "my address is": around(["My address is "]),
    "office address": around(["Office Address: "]),
    "labelled parts": ({ line, places }) => `Street: ${line}, City: ${places}`
  },
  requests: {
    "please call": around(["", ", please call on arrival"]),
    "blue gate": around(["", ", blue gate on the left"]),
    "black gate": between(" (black gate)"),
    "call before": around(["", ". Call before coming"]),
    "leave with": around(["", ", leave with the security man"]),
    urgent: around(["URGENT!!! "])
  },
  signs: {
    emoji: around(["📍 "]),
    "emoji within": between(" 😀"),
    brackets: ({ line, places }) => `[${line}, ${places}]`,
    quotes: ({ line, places }) => `"${line}, ${places}"`,
    "dots and semicolons": ({ line, places }) => `${line}; ${places.replaceAll(", ", "; ")}.`,
    pipes: ({ line, places }) => `${line} | ${places.replaceAll(", ", " | ")}`,
    dashes: ({ line, places }) => `${line} - ${places.replaceAll(", ", " - ")}`,
    "line breaks": ({ line, places }) => `${line}\n${places.replaceAll(", ", "\n")}`
  },
  number: {
    "no.": ({ number, places, street }) => (number === "" ? undefined : `No. ${number} ${street}, ${places}`),
    "no with comma": ({ number, places, street }) => (number === "" ? undefined : `NO ${number}, ${street}, ${places}`),
    "house no": ({ number, places, street }) =>
      number === "" ? undefined : `House No. ${number} ${street}, ${places}`,
    house: ({ number, places, street }) => (number === "" ? undefined : `House ${number}, ${street}, ${places}`),
    hash: ({ number, places, street }) => (number === "" ? undefined : `#${number} ${street}, ${places}`),
    "comma without space": ({ number, places, street }) =>
      number === "" ? undefined : `${number},${street},${places.replaceAll(", ", ",")}`,
    "number after": ({ number, places, street }) => (number === "" ? undefined : `${street} ${number}, ${places}`),
    numero: ({ number, places, street }) => (number === "" ? undefined : `№ ${number} ${street}, ${places}`)
  },
  landmarks: {
    "opposite first": around(["Opposite Zenith Bank, "]),
    "beside first": around(["Beside Mr Biggs, "]),
    "opposite after": between(" opposite GTBank"),
    "off after": between(", off Adekunle Fajuyi Way"),
    "by junction": between(", by Total filling station junction"),
    "in brackets": between(" (opposite Mr Biggs)"),
    "after bus stop": between(", after Cele B/Stop"),
    "two landmarks": around(["Opposite First Bank, after the roundabout, "]),
    "near at the end": around(["", ", near Chicken Republic"]),
    "behind with article": between(" behind the new mosque")
  },
  unlisted: {
    "shop's name": around(["Sunrise Boutique, "]),
    "house by looks": around(["the yellow duplex with palm trees, "]),
    "order number": around(["Order 88213, "]),
    "hotel's motto": around(["", ", home of good pepper soup"]),
    nickname: around(["", ", as you dey enter na the first turning"]),
    company: around(["Kolade & Sons Ventures Ltd, "]),
    days: around(["", ", Monday to Friday only"]),
    compound: between(", Okonkwo's compound"),
    "gate colour in words": between(", fence painted green and white"),
    "estate nobody knows": between(", Pelican Brief Estate"),
    "bus advice": around(["", ", take bike from the under bridge"]),
    "words without comma": between(" beautiful corner piece")
  },
  "held back": {
    "recipient of a firm": around(["Accounts Department, "]),
    "two names": around(["Fatima and Zainab, "]),
    pidgin: around(["", ", ask any keke man him go show you"]),
    reference: around(["Ref QX-77/B, "]),
    "church group": around(["House Fellowship Zone 4, "]),
    "colour of a car": around(["", ", red Corolla parked outside"]),
    generator: between(", where the big generator dey"),
    time: around(["", ", after 4pm"]),
    gift: around(["", ". Happy birthday my love!"]),
    "floor of a plaza": around(["Ndubuisi Kanu Plaza, "]),
    size: around(["Size 42, "]),
    wife: around(["", ", my wife will receive it"])
  }
}

/** All forms, `kind: name`. */
export const everydayForms: Readonly<Record<string, EverydayForm>> = Object.fromEntries(
  Object.entries(byKind).flatMap(([kind, forms]) =>
    Object.entries(forms).map(([name, form]) => [`${kind}: ${name}`, form] as const)
  )
)
