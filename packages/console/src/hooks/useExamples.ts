import { type Examples, foundExamples, usualExamples } from "../client/examples.ts"
import { useWork } from "./useLoad.ts"

/** Initial values of fields and commands; undefined while they are looked up in the directory. */
export const useExamples = (): Examples | undefined => {
  const { data, problem } = useWork("examples", foundExamples)
  return problem === undefined ? data : usualExamples
}
