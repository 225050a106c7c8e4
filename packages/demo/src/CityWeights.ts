/**
 * Which local government areas are towns and cities, and how many more units they get than the countryside. A judgement
 * from general knowledge, good enough for a demonstration: no census figure is behind it.
 */

/** How settled an LGA is: its weight, 1 for a rural one; urban ones are dense and grow outwards from the middle. */
export interface Settledness {
  readonly weight: number
  readonly urban: boolean
}

const rural: Settledness = { weight: 1, urban: false }

let table: ReadonlyMap<string, Settledness> | undefined

/** The settledness of an LGA given as `LA-11`; those not in the table are rural. */
export const settlednessOf = (lga: string): Settledness => {
  table ??= parseTable()
  return table.get(lga) ?? rural
}

const parseTable = (): ReadonlyMap<string, Settledness> => {
  const entries = new Map<string, Settledness>()
  for (const { settledness, lgas } of classes) {
    for (const line of lgas.trim().split("\n")) {
      const [state, ...codes] = line.trim().split(" ")
      for (const code of codes) entries.set(`${state}-${code}`, settledness)
    }
  }
  return entries
}

/*
 * A line a state, then the codes of its LGAs: Lagos, Kano, Ibadan, Abuja, Port Harcourt, Benin City, Kaduna, Onitsha,
 * Aba, Enugu and Maiduguri first, then the other state capitals and large cities, then towns.
 */
const classes: ReadonlyArray<{ readonly settledness: Settledness; readonly lgas: string }> = [
  {
    settledness: { weight: 16, urban: true },
    lgas: `
      AB 01 02
      AN 17 18
      BO 21
      ED 02 11 12
      EN 03 04 05
      FC 02
      KD 09 10
      KN 07 12 18 21 31 38
      LA 01 02 03 04 05 08 10 11 13 14 15 16 18 19 20
      OY 06 07 08 09 10
      RI 15 22`
  },
  {
    settledness: { weight: 8, urban: true },
    lgas: `
      AB 11 16
      AD 20 21
      AK 31
      AN 06 14
      BA 02
      BE 13
      BO 13
      BY 08
      CR 08 09
      DE 15 22 24
      EB 01
      EK 01
      EN 13
      FC 03
      GO 06
      IM 25 26
      JI 06
      KD 19 23
      KE 06
      KN 25 42
      KO 12
      KT 21
      KW 06 07 08
      LA 12 17
      NA 04 08
      NI 06 23
      OG 01 02 03
      ON 06 16
      OS 11 27 30
      OY 02 05 21 22
      PL 05 06
      SO 16 17
      TA 07
      YO 03 14
      ZA 07`
  },
  {
    settledness: { weight: 3, urban: false },
    lgas: `
      AB 17
      AD 14 15
      AK 03 14 25
      BA 12
      BE 05 19
      BO 05
      CR 11 16
      DE 07 08 17 19
      EB 02
      EK 10
      FC 04
      GO 01
      IM 19 21 27
      JI 09 13
      KD 02 04
      KE 03 20 21
      KO 01 17
      KT 10 14 25
      KW 13
      LA 06 07 09
      NA 06
      NI 03 05 11
      OG 05 09 13 18
      ON 14 18
      OS 07 12 18 19 23
      OY 14 16 20 25 26 29 30 32
      SO 21
      TA 14
      YO 01 13
      ZA 08`
  }
]
