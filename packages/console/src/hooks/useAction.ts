/** A user's action that calls the service, such as sending a form. */
import { type Signal, useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { type Problem, problemOf } from "../client/Problem.ts"

/** The action and its state. */
export interface Action {
  readonly isBusy: boolean
  /** The last error; undefined after success, or during another attempt. */
  readonly problem: Problem | undefined
  /** Starts the action, unless it is running. */
  readonly run: () => Promise<void>
}

/**
 * @param work the action; its problems become `problem`
 * @param busy where to report that it is running
 */
export const useAction = (work: () => Promise<unknown>, busy?: Signal<boolean>): Action => {
  const own = useSignal(false)
  const isBusy = busy ?? own
  const problem = useSignal<Problem | undefined>(undefined)
  const latest = useRef(work)
  latest.current = work
  return {
    isBusy: isBusy.value,
    problem: problem.value,
    run: async () => {
      if (isBusy.peek()) return
      isBusy.value = true
      problem.value = undefined
      try {
        await latest.current()
      } catch (error) {
        problem.value = problemOf(error)
      } finally {
        isBusy.value = false
      }
    }
  }
}
