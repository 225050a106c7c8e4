/** Grades answers to labelled texts: how many were right, wrong, and as certain as they claimed to be. */
import { isRight, onlyUnit, type TestText } from "../texts/TestText.ts"

/** What is graded of an answer. */
export interface GradedAnswer {
  readonly code: string | null
  readonly precision: string | null
  readonly confidence: Confidence
  /** The likeliest candidate's code. */
  readonly first: string | undefined
}

export type Confidence = "high" | "medium" | "low"

/** Counts of texts. */
export interface Grades {
  readonly texts: number
  /** Texts that name one unit. */
  readonly named: number
  /** Of these, those whose first candidate is that unit. */
  readonly first: number
  /** Texts that name one unit without doubt. */
  readonly certain: number
  /** Of these, those whose answer is that unit. */
  readonly claimed: number
  /** Answers of all texts that claim a wrong unit. */
  readonly wrongUnits: number
  /** Answers with a code, right at its precision or not, by confidence. */
  readonly confidences: Readonly<Record<Confidence, { readonly right: number; readonly all: number }>>
}

export const gradesOf = (texts: ReadonlyArray<TestText>, answers: ReadonlyArray<GradedAnswer>): Grades => {
  const pairs = texts.map((text, index) => ({ text, answer: answers[index] as GradedAnswer }))
  const named = pairs.filter(({ text }) => onlyUnit(text.meaning) !== undefined)
  const certain = named.filter(({ text }) => text.meaning.isCertain)
  const coded = pairs.filter(({ answer }) => answer.code !== null)
  const confidence = (level: Confidence) => {
    const all = coded.filter(({ answer }) => answer.confidence === level)
    return { right: all.filter(isAnswerRight).length, all: all.length }
  }
  return {
    texts: pairs.length,
    named: named.length,
    first: named.filter(({ answer, text }) => answer.first === onlyUnit(text.meaning)).length,
    certain: certain.length,
    claimed: certain.filter(({ answer, text }) => answer.code === onlyUnit(text.meaning)).length,
    wrongUnits: pairs.filter(isWrongUnit).length,
    confidences: { high: confidence("high"), medium: confidence("medium"), low: confidence("low") }
  }
}

interface AnsweredText {
  readonly text: TestText
  readonly answer: GradedAnswer
}

/** Whether the answer's code holds what is meant. */
const isAnswerRight = ({ answer, text }: AnsweredText): boolean =>
  answer.code !== null && isRight(text.meaning, answer.code)

const isWrongUnit = (pair: AnsweredText): boolean => pair.answer.precision === "unit" && !isAnswerRight(pair)
