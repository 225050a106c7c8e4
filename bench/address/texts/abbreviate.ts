/** Abbreviations: those that everybody uses, and those that people make up. */
import type { Lot } from "./Lot.ts"
import type { Style } from "./Meanings.ts"
import { fullWords } from "./Words.ts"

/** The text with common abbreviations; undefined if it has no word for one. */
export const commonly = (text: string, lot: Lot): string | undefined => {
  let written = text
  for (const [pattern, shorts] of phrases) {
    if (lot.chance(0.85)) written = written.replace(pattern, () => lot.one(shorts))
  }
  return written === text ? undefined : written
}

/** Longer phrases first. */
const phrases: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/\bPrimary Health (Care )?Cent(re|er)\b/gi, ["PHC", "P.H.C", "Pry Health Centre", "Prim. H/C"]],
  [/\bHealth Cent(re|er)\b/gi, ["H/C", "HC", "Health Ctr"]],
  [/\bNursery (and|&) Primary School\b/gi, ["Nur/Pry Sch", "N/P Sch", "Nur & Pry Sch", "N/P/S"]],
  [/\bNursery\/Primary\b/gi, ["Nur/Pry", "N/P"]],
  [/\bJunior Secondary School\b/gi, ["JSS", "Jnr Sec Sch", "Jnr. Sec. School"]],
  [/\bGovernment Secondary School\b/gi, ["GSS", "Govt Sec Sch", "Govt. Sec. School"]],
  [/\bSecondary School\b/gi, ["Sec Sch", "Sec. Sch.", "S/S", "Sec School"]],
  [/\bHigh School\b/gi, ["High Sch", "H/S", "High Sch."]],
  [/\bPrimary School\b/gi, ["Pry Sch", "Pri. Sch.", "P/S", "Prim School", "Primary Sch"]],
  [/\bSchools?\b/gi, ["Sch", "Sch."]],
  [/\bGovernment\b/gi, ["Govt", "Govt.", "Gov't"]],
  [/\bCommunity\b/gi, ["Comm.", "Comm"]],
  [/\bComprehensive\b/gi, ["Comp.", "Comp"]],
  [/\bJunior\b/gi, ["Jnr", "Jnr."]],
  [/\bSenior\b/gi, ["Snr", "Snr."]],
  [/\bInternational\b/gi, ["Int'l", "Intl", "Int."]],
  [/\bSaint\b/gi, ["St", "St."]],
  [/\bHospital\b/gi, ["Hosp", "Hosp."]],
  [/\bDispensary\b/gi, ["Disp", "Disp."]],
  [/\bMaternity\b/gi, ["Mat.", "Mat"]],
  [/\bMemorial\b/gi, ["Mem.", "Mem"]],
  [/\bGrammar\b/gi, ["Gram.", "Gram"]],
  [/\bTechnical\b/gi, ["Tech", "Tech."]],
  [/\bCollege\b/gi, ["Coll.", "Coll"]],
  [/\bStreet\b/gi, ["St", "Str", "St."]],
  [/\bRoad\b/gi, ["Rd", "Rd."]],
  [/\bAvenue\b/gi, ["Ave", "Ave."]],
  [/\b(Unguwar|Ungwan|Anguwan)\b/gi, ["Ung.", "Ang."]]
]

/** Styles that people make up, by name; a text in one of them means every name that is written alike in it. */
export const styles: Readonly<Record<"initials" | "truncated" | "consonants", Style>> = {
  /** `Government Girls Secondary School Usokun` is `GGSS Usokun`: kinds of places become one word. */
  initials: (words) => {
    const written: Array<string> = []
    let run: Array<string> = []
    for (const word of [...words.flatMap(fullWords), ""]) {
      if (kinds.has(word)) {
        run.push(word)
        continue
      }
      written.push(run.length === 1 ? (run[0] as string) : run.map((kind) => kind[0]).join(""), word)
      run = []
    }
    return written.filter((word) => word !== "")
  },
  /** `Govt Seco Scho`: the beginning of each kind. */
  truncated: (words) => kindsOnly(words, (word) => word.slice(0, 4)),
  /** `Gvrnmnt Scndry Schl`. */
  consonants: (words) => kindsOnly(words, (word) => word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, ""))
}

const kindsOnly = (words: ReadonlyArray<string>, short: (word: string) => string): ReadonlyArray<string> =>
  words.flatMap(fullWords).map((word) => (kinds.has(word) && word.length > 4 ? short(word) : word))

const kinds: ReadonlySet<string> = new Set(
  (
    "primary secondary nursery school government community comprehensive international junior senior high hospital " +
    "dispensary maternity centre health clinic college grammar technical model basic central day girls boys"
  ).split(" ")
)
