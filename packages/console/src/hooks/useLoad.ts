/** Data of a screen: loaded when the screen is shown, aborted when it is left. */
import { useEffect, useState } from "preact/hooks"
import type { DataOf, InputOf, ReadRoute } from "../client/Contract.ts"
import { type Problem, problemOf } from "../client/Problem.ts"
import { call, signInCount } from "../state/session.ts"

/** The data and its loading state. */
export interface Loaded<A> {
  /** Undefined while it is loaded for the first time or for another input. */
  readonly data: A | undefined
  readonly problem: Problem | undefined
  readonly isLoading: boolean
  /** Loads again; the present data stays meanwhile. */
  readonly reload: () => void
}

/** @param input undefined to load nothing yet */
export const useLoad = <R extends ReadRoute>(route: R, input: InputOf<R> | undefined): Loaded<DataOf<R>> => {
  const [state, setState] = useState<State<DataOf<R>>>({
    key: "",
    data: undefined,
    problem: undefined,
    isLoading: true
  })
  const [times, setTimes] = useState(0)
  const key = input === undefined ? "" : callKey(route, input)
  // Calls that failed because the session had ended are repeated after sign-in.
  const session = signInCount.value
  useEffect(() => {
    if (input === undefined) return
    const leaving = new AbortController()
    setState((before) => ({
      key,
      data: before.key === key ? before.data : undefined,
      problem: undefined,
      isLoading: true
    }))
    call(route, input, leaving.signal).then(
      (data) => setState({ key, data, problem: undefined, isLoading: false }),
      (error) => {
        if (leaving.signal.aborted) return
        setState(({ data }) => ({ key, data, problem: problemOf(error), isLoading: false }))
      }
    )
    return () => leaving.abort()
  }, [key, times, session])
  const { data, isLoading, problem } =
    state.key === key ? state : { data: undefined, isLoading: true, problem: undefined }
  return { data, problem, isLoading, reload: () => setTimes((before) => before + 1) }
}

/** Two calls are equal if these texts are. */
export const callKey = (route: string, input: unknown): string => JSON.stringify([route, input])

interface State<A> extends Omit<Loaded<A>, "reload"> {
  readonly key: string
}
