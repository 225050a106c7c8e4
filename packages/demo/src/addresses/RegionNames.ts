/**
 * The parts of which names of localities and streets are composed in each region of Nigeria: common elements of place
 * names, and given names after which streets are called.
 */

type Region = "yoruba" | "igbo" | "hausa" | "delta" | "cross_river" | "middle_belt"

/** The names of a region. */
export interface Vocabulary {
  /** Codes of its states, separated by spaces. */
  readonly states: string
  /** First and second parts of locality names. After a dash or a space, the second part keeps its capital letter. */
  readonly fronts: ReadonlyArray<string>
  readonly ends: ReadonlyArray<string>
  /** Names of quarters that many cities of the region share. */
  readonly quarters: ReadonlyArray<string>
  /** Given names. */
  readonly people: ReadonlyArray<string>
  /** Titles before given names. */
  readonly titles: ReadonlyArray<string>
}

let regions: ReadonlyMap<string, Vocabulary> | undefined

/** The vocabulary of a state, such as `LA`. */
export const vocabularyOf = (state: string): Vocabulary => {
  regions ??= new Map(
    Object.values(vocabularies).flatMap((vocabulary) => vocabulary.states.split(" ").map((code) => [code, vocabulary]))
  )
  return regions.get(state) ?? vocabularies.middle_belt
}

const words = (text: string): ReadonlyArray<string> => text.split(" ")

const northernQuarters = ["Sabon Gari", "Tudun Wada", "GRA", "Low Cost", "Angwan Rimi", "Railway Quarters"]
const southernQuarters = ["GRA", "New Layout", "Government Layout", "Housing Estate", "Sabo", "New Town"]

const vocabularies: Readonly<Record<Region, Vocabulary>> = {
  yoruba: {
    states: "EK KW LA OG ON OS OY",
    fronts: words("Oke- Isale- Ita- Odo- Ile- Ago- Igbo- Ilu- Eti- Idi-"),
    ends: words("Ado Aro Afa Ogbo Oja Ola Aja Ode Agba Egan Ofin Imo Eri Ogun Ijan Ayo Oro Ipa Iroko Ope Oba Apata"),
    quarters: southernQuarters,
    titles: ["Chief ", "Alhaji ", "Prince ", "Oba "],
    people: words(
      "Adebayo Adeola Ajayi Akinola Alaba Ayodele Balogun Bamidele Bankole Fadeyi Idowu Kayode Ladipo Ogundele Ojo " +
        "Olatunji Olaleye Oluwole Oyelaran Salako Taiwo Kehinde Baale Folarin Morenike Adunni Abeni Durojaiye"
    )
  },
  igbo: {
    states: "AB AN EB EN IM",
    fronts: words("Umu Ama Obi Ndi Ezi Isi"),
    ends: words("Oji Ahia Eze Chima Nna Okwe Lolo Duru Akpu Agu Ike Owa Kwu Mbala Ocha Ogwu Ala Nkwo Orie Afor"),
    quarters: southernQuarters,
    titles: ["Chief ", "Dr ", "Sir ", "Igwe "],
    people: words(
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
    quarters: northernQuarters,
    titles: ["Alhaji ", "Malam ", "Sarki ", "Hajiya "],
    people: words(
      "Aliyu Audu Danladi Garba Habu Ibrahim Idris Jibril Kabiru Lawal Maikudi Musa Nuhu Sani Sule Tanko Umar Yakubu " +
        "Yusuf Zubairu Hauwa Ladi Bilkisu Salihu Haruna Magaji Galadima Waziri"
    )
  },
  delta: {
    states: "BY DE ED RI",
    fronts: words("Ogbe- Ama- Oko- Ugbo- Ewu- Eko- Okpo- Ebe-"),
    ends: words("Osa Igbo Ogba Ele Biri Toru Kiri Bou Iyo Ore Ubu Oba Ama Kpo Ogbia Efe Isoko Ode"),
    quarters: southernQuarters,
    titles: ["Chief ", "Dr ", "Elder ", "King "],
    people: words(
      "Ebiere Tamuno Preye Dagogo Efe Omoregie Osaro Osagie Ehigie Ovie Ejiro Igho Boma Ibim Sokari Tonye Timi " +
        "Ebikeme Oghogho Isoken Eseoghene Ibiso Nengi Ogaga Uyi"
    )
  },
  cross_river: {
    states: "AK CR",
    fronts: ["Ikot ", "Ikot ", "Nung ", "Afaha ", "Obio ", "Ndon ", "Mbiakot ", "Use "],
    ends: words("Ekpo Udo Akpan Essien Offiong Obong Ekpene Eket Itak Ibom Nsit Uyai Oku Edem Asong Inyang Ukwa Ebok"),
    quarters: southernQuarters,
    titles: ["Chief ", "Obong ", "Dr ", "Elder "],
    people: words(
      "Edet Effiong Ekpo Etim Ita Okon Udo Asuquo Bassey Eyo Ime Inyang Nsa Nkanga Offiong Umoh Akpan Ekong Essien " +
        "Idara Mfon Uduak Ekaette Aniekan Ubong"
    )
  },
  middle_belt: {
    states: "BE FC KO NA NI PL TA",
    fronts: ["Angwan ", "Gidan ", "Tudun ", "Tse-", "Ogba-", "Kpa-", "Sabon ", "Rafin "],
    ends: words("Rimi Gana Dutse Adaka Agbo Ojo Igwe Kuta Gwari Tsauni Kasa Ikya Ameh Yashi Gado Baba Kura Zuma"),
    quarters: northernQuarters,
    titles: ["Chief ", "Alhaji ", "Dr ", "Malam "],
    people: words(
      "Terver Adamu Agbo Ameh Attah Gyang Pam Choji Ndagi Gana Tsado Yisa Iorfa Ogwu Ojoma Ene Aondona Mwuese " +
        "Dooshima Kuje Nanret Ladi Ahmadu Inalegwu Enejo"
    )
  }
}
