/** The search that is measured, as a grader sees it. */
import { searchAddress } from "@postcode/core/AddressSearch"
import type { Directory } from "@postcode/core/Directory"
import type { GradedAnswer } from "./Grades.ts"

export const answerTo = (directory: Directory, text: string): GradedAnswer => {
  const { candidates, code, confidence, precision } = searchAddress(directory, text)
  return { code, precision, confidence, first: candidates[0]?.code }
}
