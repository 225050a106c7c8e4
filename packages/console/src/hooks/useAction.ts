/** A user's action that calls the service, such as sending a form. */
import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { type Problem, problemOf } from "../client/Problem.ts"

/** The action and its state. */
export interface Action {
  readonly isBusy: boolean
  /** The last error; undefined after success, or during another attempt. */
  readonly problem: Problem | undefined
  /** Starts the action, unless it is running. */
  readonly run: () => Promise<void>
  readonly forget: () => void
}

/** @param work the action; its problems become `problem` */
export const useAction = (work: () => Promise<unknown>): Action => {
  const isBusy = useSignal(false)
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
    },
    forget: () => {
      problem.value = undefined
    }
  }
}
