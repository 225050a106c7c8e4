/** Something that a person does and the service answers, such as sending a form. */
import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { type Problem, problemOf } from "../client/Problem.ts"

/** The action, and how it stands. */
export interface Action {
  readonly isBusy: boolean
  /** Why it failed the last time; undefined once it works, or is tried again. */
  readonly problem: Problem | undefined
  /** Does it, unless it is being done: nothing is done twice. */
  readonly run: () => Promise<void>
  readonly forget: () => void
}

/** @param work what it does; its problems become `problem` */
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
