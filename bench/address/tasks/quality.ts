/** How well texts are understood, on the half of the directory that nothing was tuned on. */
import { writeFile } from "node:fs/promises"
import type { Directory } from "@postcode/core/Directory"
import { compared, type Figure } from "../../Bench.ts"
import { type EverydayGrade, gradeEveryday } from "../everyday/gradeEveryday.ts"
import { gradeRoads, gradeTowns, type RoadGrade } from "../everyday/gradeRoads.ts"
import { calibrationPicture, promised } from "../quality/Calibration.ts"
import { type Grades, gradesOf } from "../quality/Grades.ts"
import { gradePlaces } from "../quality/gradePlaces.ts"
import { answerTo } from "../quality/search.ts"
import type { AddressRow } from "../texts/AddressRow.ts"
import { makeTexts } from "../texts/makeTexts.ts"
import { readSource, type Source } from "../texts/Source.ts"
import type { TestText } from "../texts/TestText.ts"

export interface QualityParameter {
  readonly source: Source
  /** The directory's name in the figures. */
  readonly of: string
  /** Plain texts, and as many hard ones. */
  readonly count: number
  readonly half: "even" | "odd"
  /** The path of the picture of calibration; none if undefined. */
  readonly picture: string | undefined
}

export const quality = async (
  { count, half, of, picture, source }: QualityParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  progress(`${of}: reading the directory and making texts`)
  const { directory, rows } = await readSource(source)
  const texts = makeTexts(rows, { count, half, seed: 1 })
  progress(`${of}: ${texts.length} texts`)
  const [plain, hard, other] = (["plain", "hard", "other"] as const).map((set) =>
    grade(
      directory,
      texts.filter((text) => text.set === set)
    )
  ) as [Grades, Grades, Grades]
  if (picture !== undefined) await writeFile(picture, calibrationPicture({ plain, hard }))
  return [
    ...figuresOf(`${of}, plain texts`, plain),
    ...figuresOf(`${of}, hard texts`, hard),
    ...figuresOf(`${of}, hard texts of other kinds`, other, 0.85),
    ...gradePlaces(directory, of),
    ...everydayFigures(directory, rows, of, Math.min(everydayAddresses, count))
  ]
}

/** Addresses that are written in each everyday form, and towns with a road to a neighbour. */
const everydayAddresses = 200

const everydayFigures = (
  directory: Directory,
  rows: ReadonlyArray<AddressRow>,
  of: string,
  count: number
): ReadonlyArray<Figure> => {
  const grades = gradeEveryday(directory, rows, count)
  const sum = (part: (grade: EverydayGrade) => number): number => grades.reduce((all, grade) => all + part(grade), 0)
  const texts = sum((grade) => grade.texts)
  const named = `${of}, ${grades.length} everyday forms`
  const roads = gradeRoads(directory, count)
  const towns = gradeTowns(directory)
  const ofPlaces = (what: string, { right, texts, units, wrong, wrongHigh }: RoadGrade): ReadonlyArray<Figure> => [
    share(of, `right, of ${texts} ${what}`, right, texts),
    share(of, `another place, of ${texts} ${what}`, wrong, texts),
    share(of, `another place with high confidence, or a unit, of ${texts} ${what}`, wrongHigh + units, texts)
  ]
  return [
    share(
      named,
      `the unit kept, of ${texts}`,
      sum((grade) => grade.kept),
      texts,
      0.98
    ),
    share(
      named,
      `the unit accepted, of ${texts}`,
      sum((grade) => grade.accepted),
      texts,
      0.85
    ),
    share(
      named,
      `another unit, of ${texts}`,
      sum((grade) => grade.wrong),
      texts
    ),
    ...ofPlaces("roads named after another town", roads),
    ...ofPlaces("towns of several LGAs", towns)
  ]
}

const grade = (directory: Directory, texts: ReadonlyArray<TestText>): Grades =>
  gradesOf(
    texts,
    texts.map(({ text }) => answerTo(directory, text))
  )

const figuresOf = (of: string, grades: Grades, goal = 0.98): ReadonlyArray<Figure> => [
  share(of, `right unit first, of ${grades.named} that name one`, grades.first, grades.named, goal),
  share(of, `a unit claimed, of ${grades.certain} that name one without doubt`, grades.claimed, grades.certain),
  share(of, `a unit claimed, and wrong, of ${grades.texts}`, grades.wrongUnits, grades.texts),
  ...(["high", "medium", "low"] as const).map((level) => {
    const { all, right } = grades.confidences[level]
    return share(of, `right, of ${all} with ${level} confidence`, right, all, promised[level])
  })
]

const share = (of: string, what: string, part: number, whole: number, goal?: number): Figure =>
  compared("more", {
    bench: "address",
    figure: `${of}: ${what}`,
    value: whole === 0 ? 0 : (100 * part) / whole,
    unit: "%",
    peer: goal === undefined ? null : "to reach",
    peer_value: goal === undefined ? null : 100 * goal
  })
