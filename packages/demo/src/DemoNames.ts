/**
 * Names of localities and streets, composed of parts that are common in each region of Nigeria. Street names use given
 * names and things. They do not refer to particular places or persons.
 */
import { child, mix, pick } from "./Hash.ts"

type Region = "yoruba" | "igbo" | "hausa" | "delta" | "cross_river" | "middle_belt"

interface Vocabulary {
  readonly states: string
  /** First and second parts of locality names. After a dash or a space, the second part keeps its capital letter. */
  readonly fronts: ReadonlyArray<string>
  readonly ends: ReadonlyArray<string>
  readonly streets: ReadonlyArray<string>
}

/** The name of a district with this hash: `Oke-Odo`, `Tudun Wada`, `Umuoji Extension`. */
export const localityName = (state: string, district: number, urban: boolean): string => {
  const { ends, fronts } = vocabularyOf(state)
  const hash = child(district, 8)
  const front = choose(fronts, hash)
  const end = choose(ends, mix(hash))
  const name = /[ -]$/.test(front) ? front + end : front + end.toLowerCase()
  const quarters = urban ? cityQuarters : villageQuarters
  return choose(quarters, child(district, 9)).replace("*", name)
}

/**
 * The name of one of the parallel streets of a row of areas, given the row's hash and the street's number in it:
 * `Adeola Street`, `Market Road`. All names in a row differ.
 */
export const streetName = (state: string, row: number, street: number): string => {
  const hash = child(row, street)
  const parts = pick(hash, 100) < 70 ? vocabularyOf(state).streets : things
  // All streets of a row count from the same start, so no name repeats. Steps of three avoid alphabetical neighbours.
  const name = parts[(pick(mix(row), parts.length) + 3 * street) % parts.length] ?? ""
  return `${name} ${choose(streetKinds, mix(hash))}`
}

const choose = (parts: ReadonlyArray<string>, hash: number): string => parts[pick(hash, parts.length)] ?? ""

let regions: ReadonlyMap<string, Vocabulary> | undefined

const vocabularyOf = (state: string): Vocabulary => {
  regions ??= new Map(
    Object.values(vocabularies).flatMap((vocabulary) => vocabulary.states.split(" ").map((code) => [code, vocabulary]))
  )
  return regions.get(state) ?? vocabularies.middle_belt
}

const words = (text: string): ReadonlyArray<string> => text.split(" ")

/** The asterisk is replaced by the name. Repeated entries are more frequent. */
const cityQuarters: ReadonlyArray<string> = [
  "*",
  "*",
  "*",
  "*",
  "*",
  "* Layout",
  "* Extension",
  "* Housing Estate",
  "* GRA",
  "* Phase 1",
  "* Phase 2",
  "New *",
  "Old *"
]

const villageQuarters: ReadonlyArray<string> = ["*", "*", "*", "*", "*", "*", "* Village", "* Settlement", "New *"]

const streetKinds = words(
  "Street Street Street Street Street Road Road Road Close Close Avenue Avenue Crescent Crescent Lane Way Drive"
)

const things: ReadonlyArray<string> = [
  ...words("Market Mission Hospital Unity Independence Palm Station Church Mosque School Stadium River Hill Garden"),
  ...words("Court Secretariat College Library Republic Liberty Peace Harmony Progress Mango Cashew Bamboo Neem Acacia"),
  ...words("Hibiscus Sunrise Pioneer Community Dispensary Borehole Railway Cocoa Baobab Orchard Waterworks Museum"),
  "Post Office",
  "Old Market",
  "New Market",
  "Health Centre",
  "Water Board"
]

const vocabularies: Readonly<Record<Region, Vocabulary>> = {
  yoruba: {
    states: "EK KW LA OG ON OS OY",
    fronts: words("Oke- Isale- Ita- Odo- Ile- Ago- Igbo- Ilu- Eti- Idi-"),
    ends: words("Ado Aro Afa Ogbo Oja Ola Aja Ode Agba Egan Ofin Imo Eri Ogun Ijan Ayo Oro Ipa Iroko Ope Oba Apata"),
    streets: words(
      "Adebayo Adeola Ajayi Akinola Alaba Ayodele Balogun Bamidele Bankole Fadeyi Idowu Kayode Ladipo Ogundele Ojo " +
        "Olatunji Olaleye Oluwole Oyelaran Salako Taiwo Kehinde Baale Folarin Morenike Adunni Abeni Durojaiye"
    )
  },
  igbo: {
    states: "AB AN EB EN IM",
    fronts: words("Umu Ama Obi Ndi Ezi Isi"),
    ends: words("Oji Ahia Eze Chima Nna Okwe Lolo Duru Akpu Agu Ike Owa Kwu Mbala Ocha Ogwu Ala Nkwo Orie Afor"),
    streets: words(
      "Chukwuma Emeka Nnanna Okafor Okeke Obiora Uche Ngozi Ikenna Nwankwo Onyeka Amaka Ifeanyi Chidi Ogbonna " +
        "Azubuike Kelechi Adaeze Ekene Obinna Chinedu Nkechi Uzoma Okoro Ndubuisi Ebere"
    )
  },
  hausa: {
    states: "AD BA BO GO JI KD KE KN KT SO YO ZA",
    fronts: ["Unguwar ", "Tudun ", "Sabon ", "Gidan ", "Kofar ", "Rijiyar ", "Kasuwar ", "Filin ", "Bakin "],
    ends: words(
      "Rimi Wada Gari Kuka Zaki Giwa Kwari Dutse Fulani Makera Sarki Maje Liman Dorawa Tsamiya Gabas Yamma Arewa " +
        "Kudu Ruwa Kanawa Fada"
    ),
    streets: words(
      "Aliyu Audu Danladi Garba Habu Ibrahim Idris Jibril Kabiru Lawal Maikudi Musa Nuhu Sani Sule Tanko Umar Yakubu " +
        "Yusuf Zubairu Hauwa Ladi Bilkisu Salihu Haruna Magaji Galadima Waziri"
    )
  },
  delta: {
    states: "BY DE ED RI",
    fronts: words("Ogbe- Ama- Oko- Ugbo- Ewu- Eko- Okpo- Ebe-"),
    ends: words("Osa Igbo Ogba Ele Biri Toru Kiri Bou Iyo Ore Ubu Oba Ama Kpo Ogbia Efe Isoko Ode"),
    streets: words(
      "Ebiere Tamuno Preye Dagogo Efe Omoregie Osaro Osagie Ehigie Ovie Ejiro Igho Boma Ibim Sokari Tonye Timi " +
        "Ebikeme Oghogho Isoken Eseoghene Ibiso Nengi Ogaga Uyi"
    )
  },
  cross_river: {
    states: "AK CR",
    fronts: ["Ikot ", "Ikot ", "Nung ", "Afaha ", "Obio ", "Ndon ", "Mbiakot ", "Use "],
    ends: words("Ekpo Udo Akpan Essien Offiong Obong Ekpene Eket Itak Ibom Nsit Uyai Oku Edem Asong Inyang Ukwa Ebok"),
    streets: words(
      "Edet Effiong Ekpo Etim Ita Okon Udo Asuquo Bassey Eyo Ime Inyang Nsa Nkanga Offiong Umoh Akpan Ekong Essien " +
        "Idara Mfon Uduak Ekaette Aniekan Ubong"
    )
  },
  middle_belt: {
    states: "BE FC KO NA NI PL TA",
    fronts: ["Angwan ", "Gidan ", "Tudun ", "Tse-", "Ogba-", "Kpa-", "Sabon ", "Rafin "],
    ends: words("Rimi Gana Dutse Adaka Agbo Ojo Igwe Kuta Gwari Tsauni Kasa Ikya Ameh Yashi Gado Baba Kura Zuma"),
    streets: words(
      "Terver Adamu Agbo Ameh Attah Gyang Pam Choji Ndagi Gana Tsado Yisa Iorfa Ogwu Ojoma Ene Aondona Mwuese " +
        "Dooshima Kuje Nanret Ladi Ahmadu Inalegwu Enejo"
    )
  }
}
