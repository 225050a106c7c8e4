/**
 * The words of a text as the labels compare them: abbreviations that everybody uses are written out, and what has no
 * meaning of its own is left out. It shares no code with the search that is measured.
 */

/** The words of a text: lower case, without diacritics and apostrophes; initials are one word. */
export const surfaceWords = (text: string): ReadonlyArray<string> =>
  joinInitials(
    text
      .normalize("NFD")
      .replace(/[\p{M}'’`]/gu, "")
      .toLowerCase()
      .replace(/([a-z])([0-9])|([0-9])([a-z])/g, "$1$3 $2$4")
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "")
  )

/** The words of a text in their full form. */
export const meaningWords = (text: string): ReadonlyArray<string> =>
  surfaceWords(text.replace(/local gov(ernmen)?t\.? area/gi, "")).flatMap(fullWords)

/** The full form of one word: none if it means nothing, several for initials such as `phc`. */
export const fullWords = (word: string): ReadonlyArray<string> => fullForms.get(word) ?? [word]

/** `p h c` is `phc`. */
const joinInitials = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = []
  let initials = ""
  for (const word of words) {
    if (/^[a-z]$/.test(word)) {
      initials += word
      continue
    }
    if (initials !== "") joined.push(initials)
    initials = ""
    joined.push(word)
  }
  return initials === "" ? joined : [...joined, initials]
}

const fullForms: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  Object.entries({
    "": "and of the ward wards lga state care at in plot",
    school: "sch schl schs schools scholl shool",
    primary: "pry pri prim pr",
    secondary: "sec",
    nursery: "nur nurs nursary",
    government: "govt gov",
    community: "comm com",
    comprehensive: "comp",
    international: "intl int inter",
    junior: "jnr jun",
    senior: "snr",
    // `st` is either.
    saint: "st str street",
    memorial: "mem",
    hospital: "hosp",
    dispensary: "disp dispensery",
    maternity: "mat",
    centre: "cent ctr center",
    college: "coll",
    grammar: "gram gramm",
    technical: "tech",
    islamic: "isl",
    islamiyya: "islamiya",
    commercial: "comml",
    unguwar: "ung ungwan ungwar unguwan anguwan angwan angwa ang anguwa unguwa",
    road: "rd",
    avenue: "ave",
    quarters: "qtrs qtr",
    "primary school": "ps",
    "nursery primary": "np",
    "nursery primary school": "nps",
    "secondary school": "ss",
    "junior secondary school": "jss",
    "senior secondary school": "sss",
    "high school": "hs",
    "health centre": "hc",
    "primary health centre": "phc phcc",
    "government secondary school": "gss",
    "government day secondary school": "gdss",
    "government junior secondary school": "gjss",
    "government day junior secondary school": "gdjss",
    "port harcourt": "portharcourt",
    "sabon gari": "sabongari",
    "1": "i",
    "2": "ii",
    "3": "iii",
    "4": "iv",
    "6": "vi",
    "7": "vii",
    "8": "viii"
  }).flatMap(([full, shorts]) => shorts.split(" ").map((short) => [short, full === "" ? [] : full.split(" ")] as const))
)
