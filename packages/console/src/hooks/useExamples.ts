import { type Examples, foundExamples, sandboxExamples, usualExamples } from "../client/examples.ts"
import { useWork } from "./useLoad.ts"

/**
 * Initial values of fields and commands; undefined while they are looked up in the directory.
 *
 * @param ofSandbox whether to prefer the sandbox
 */
export const useExamples = (ofSandbox = false): Examples | undefined => {
  const { data, problem } = useWork(`examples ${ofSandbox}`, ofSandbox ? sandboxExamples : foundExamples)
  return problem === undefined ? data : usualExamples
}
