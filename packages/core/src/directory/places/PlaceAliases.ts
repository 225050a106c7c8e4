/**
 * Other names of Nigerian states and local government areas: a table of facts.
 *
 * Each list holds names that mean one place, the most common first: official and short names, old and other spellings,
 * and the town that an area is known by. If the directory calls a place of that state by one of them, all others find it,
 * too. Lists without such a place have no effect, so directories of other countries are unaffected.
 *
 * Diacritics, hyphens, spaces and single typing errors need no entry, and neither does half of a name with a slash.
 */

interface StateAliases {
  readonly state: ReadonlyArray<string>
  /** Former states of which this one is a part: they name several. */
  readonly former?: ReadonlyArray<string>
  readonly lgas: ReadonlyArray<ReadonlyArray<string>>
}

export const placeAliases: ReadonlyArray<StateAliases> = [
  {
    state: ["Abia"],
    lgas: [
      ["Osisioma", "Osisioma Ngwa"],
      ["Obi Ngwa", "Obioma Ngwa"],
      ["Umu Nneochi", "Umuneochi"]
    ]
  },
  {
    state: ["Adamawa"],
    former: ["Gongola"],
    lgas: [
      ["Yola North", "Jimeta"],
      ["Toungo", "Teungo"],
      ["Girei", "Girie"]
    ]
  },
  {
    state: ["Akwa Ibom", "A/Ibom", "AKS"],
    lgas: [
      ["Urue-Offong/Oruko", "Urueoffong"],
      ["Esit Eket", "Uquo"]
    ]
  },
  {
    state: ["Anambra"],
    lgas: [
      ["Onitsha North", "Onicha North"],
      ["Onitsha South", "Onicha South"]
    ]
  },
  {
    state: ["Bauchi"],
    lgas: [
      ["Katagum", "Azare"],
      ["Damban", "Dambam"]
    ]
  },
  { state: ["Bayelsa"], lgas: [["Southern Ijaw", "South Ijaw"]] },
  { state: ["Benue"], former: ["Benue Plateau"], lgas: [["Otukpo", "Oturkpo"]] },
  {
    state: ["Borno", "Barno"],
    lgas: [["Maiduguri", "Maiduguri Metropolitan", "Maiduguri Metropolitan Council", "MMC"]]
  },
  {
    state: ["Cross River", "Cross Rivers", "C/River", "C/Rivers", "X/River", "X/Rivers", "CRS"],
    lgas: [
      ["Yakurr", "Yakuur"],
      ["Calabar Municipal", "Calabar Municipality"]
    ]
  },
  {
    state: ["Delta"],
    former: ["Bendel", "Midwest", "Midwestern", "Mid West"],
    lgas: [
      ["Oshimili South", "Asaba"],
      ["Uvwie", "Effurun"],
      ["Ika South", "Agbor"],
      ["Ndokwa West", "Kwale"]
    ]
  },
  { state: ["Ebonyi"], lgas: [] },
  {
    state: ["Edo"],
    former: ["Bendel", "Midwest", "Midwestern", "Mid West"],
    lgas: [
      ["Oredo", "Benin City", "Benin"],
      ["Esan West", "Ekpoma"],
      ["Esan Central", "Irrua"],
      ["Esan South East", "Ubiaja"],
      ["Etsako West", "Auchi"],
      ["Orhionmwon", "Orhionwon"],
      ["Uhunmwonde", "Uhunmwode"]
    ]
  },
  {
    state: ["Ekiti"],
    lgas: [
      ["Gbonyin", "Aiyekire"],
      ["Efon", "Efon Alaaye"],
      ["Ido Osi", "Ido Ekiti"]
    ]
  },
  { state: ["Enugu"], lgas: [] },
  {
    state: ["Federal Capital Territory", "FCT", "Abuja", "Abuja FCT", "Federal Capital Territory Abuja"],
    lgas: [["Abuja Municipal Area Council", "Municipal Area Council", "Abuja Municipal", "AMAC"]]
  },
  { state: ["Gombe"], lgas: [["Shongom", "Shomgom"]] },
  {
    state: ["Imo"],
    lgas: [
      ["Owerri Municipal", "Owerri", "Owerri Municipality"],
      ["Ezinihitte", "Ezinihitte Mbaise"],
      ["Mbaitoli", "Mbaitolu"]
    ]
  },
  {
    state: ["Jigawa"],
    lgas: [
      ["Birniwa", "Biriniwa"],
      ["Kiri Kasama", "Kirikasamma"],
      ["Malam Madori", "Mallam Madori"]
    ]
  },
  {
    state: ["Kaduna"],
    lgas: [
      ["Jema'a", "Jama'a", "Kafanchan"],
      ["Zangon Kataf", "Zango Kataf"],
      ["Birnin Gwari", "Birnin-Gwari"]
    ]
  },
  {
    state: ["Kano"],
    lgas: [
      ["Kano Municipal", "Kano Municipality"],
      ["Dambatta", "Danbatta"],
      ["Garun Mallam", "Garun Malam"],
      ["Nasarawa", "Nassarawa"]
    ]
  },
  { state: ["Katsina"], lgas: [["Dan Musa", "Danmusa"]] },
  {
    state: ["Kebbi"],
    lgas: [
      ["Aleiro", "Aliero"],
      ["Birnin Kebbi", "B/Kebbi"]
    ]
  },
  {
    state: ["Kogi"],
    lgas: [
      ["Kogi", "Koton Karfe", "Kogi Koton Karfe", "Koton Karifi"],
      ["Mopa-Muro", "Mopamuro"]
    ]
  },
  {
    state: ["Kwara"],
    lgas: [
      ["Pategi", "Patigi"],
      ["Edu", "Lafiagi"],
      ["Kaiama", "Kaima"]
    ]
  },
  {
    state: ["Lagos", "Eko", "Legas"],
    lgas: [
      ["Shomolu", "Somolu"],
      ["Oshodi-Isolo", "Oshodi", "Isolo"],
      ["Ifako-Ijaiye", "Ifako-Ijaye"],
      ["Ajeromi-Ifelodun", "Ajegunle"]
    ]
  },
  {
    state: ["Nasarawa", "Nassarawa"],
    former: ["Benue Plateau"],
    lgas: [
      ["Nasarawa", "Nassarawa"],
      ["Nasarawa Eggon", "Nassarawa Eggon"]
    ]
  },
  {
    state: ["Niger", "Neja"],
    lgas: [
      ["Chanchaga", "Minna"],
      ["Munya", "Muya"],
      ["Paikoro", "Paiko"]
    ]
  },
  {
    state: ["Ogun"],
    lgas: [
      ["Ado-Odo/Ota", "Sango Ota", "Otta"],
      ["Shagamu", "Sagamu"],
      ["Yewa North", "Egbado North"],
      ["Yewa South", "Egbado South", "Ilaro"]
    ]
  },
  { state: ["Ondo"], lgas: [] },
  {
    state: ["Osun", "Oshun"],
    lgas: [
      ["Osogbo", "Oshogbo"],
      ["Ilesa East", "Ilesha East"],
      ["Ilesa West", "Ilesha West"],
      ["Atakunmosa East", "Atakumosa East"],
      ["Atakunmosa West", "Atakumosa West"],
      ["Ayedaade", "Aiyedade"],
      ["Ayedire", "Aiyedire"],
      ["Ife Central", "Ile Ife"],
      ["Ife East", "Ile Ife"],
      ["Irewole", "Ikire"],
      ["Ila", "Ila Orangun"]
    ]
  },
  {
    state: ["Oyo", "Oyo Ile"],
    lgas: [
      ["Ogbomosho North", "Ogbomoso North"],
      ["Ogbomosho South", "Ogbomoso South"],
      ["Saki East", "Shaki East"],
      ["Saki West", "Shaki West"],
      ["Orelope", "Oorelope"]
    ]
  },
  {
    state: ["Plateau", "Filato"],
    former: ["Benue Plateau"],
    lgas: [
      ["Qua'an Pan", "Kwa'an Pan", "Quan Pan"],
      ["Barkin Ladi", "Barakin Ladi"],
      ["Jos South", "Bukuru"]
    ]
  },
  {
    state: ["Rivers", "River"],
    lgas: [
      ["Port Harcourt", "PH", "P/Harcourt", "Port Harcourt City", "Phalga"],
      ["Obio/Akpor", "Obalga"],
      ["Ogba/Egbema/Ndoni", "Onelga"],
      ["Oyigbo", "Obigbo"],
      ["Emohua", "Emuoha"],
      ["Khana", "Bori"],
      ["Ikwerre", "Ikwere"]
    ]
  },
  { state: ["Sokoto", "Sakkwato"], lgas: [["Wamako", "Wammako"]] },
  { state: ["Taraba"], former: ["Gongola"], lgas: [["Sardauna", "Gembu"]] },
  {
    state: ["Yobe"],
    lgas: [
      ["Bade", "Gashua"],
      ["Bursari", "Borsari"],
      ["Tarmuwa", "Tarmua"]
    ]
  },
  {
    state: ["Zamfara"],
    lgas: [
      ["Birnin Magaji", "Birnin Magaji Kiyaw"],
      ["Tsafe", "Chafe"]
    ]
  }
]

/** Words that only tell parts of one place apart. Alone they name none: `victoria island` is not Lagos Island. */
export const modifiers: ReadonlySet<string> = new Set(
  "north south east west central island mainland municipal municipality metropolitan waterside area council city".split(
    " "
  )
)

/** What stands after the name of an LGA: "Ikeja LGA", "Ikeja Local Government Area". */
export const lgaWords: ReadonlySet<string> = new Set(["lga", "lg", "lcda", "local"])

/**
 * What stands after the name of a state, and before it in other languages: Yoruba `Ìpínlẹ̀`, Hausa `Jihar` and `Jiha`,
 * Igbo `Ọ́hà`, `Ọra` and `Steeti`, as the Wikipedias of these languages have them.
 */
export const stateWords: ReadonlySet<string> = new Set("state ipinle jihar jiha oha ora steeti".split(" "))

/** The words of these languages for an LGA: `Ìjọba Ìbílẹ̀`, `Ƙaramar Hukuma`, `Okpuru Ọchịchị`. */
export const foreignLgaWords: ReadonlySet<string> = new Set(
  "ijoba ibile karamar hukuma hukumar okpuru ochichi".split(" ")
)

/** A name before one of these is the name of a street: Ikorodu Road leads through several areas. */
export const streetWords: ReadonlySet<string> = new Set(
  "road rd street str st avenue ave av close cl crescent cres way lane ln drive dr expressway express expy highway hwy bypass boulevard blvd".split(
    " "
  )
)
