/** What a screen reads of the service: it is loaded with the screen, and given up when one leaves. */
import { useEffect, useState } from "preact/hooks"
import type { DataOf, InputOf, ReadRoute } from "../client/Contract.ts"
import { type Problem, problemOf } from "../client/Problem.ts"
import { call, timesSignedIn } from "../state/session.ts"

/** What was asked for, as far as it is there. */
export interface Loaded<A> {
  /** Undefined until it is there, and while something else is asked for. */
  readonly data: A | undefined
  readonly problem: Problem | undefined
  readonly isLoading: boolean
  /** Asks again; what was there stays meanwhile. */
  readonly reload: () => void
}

/** @param input undefined to ask nothing yet */
export const useLoad = <R extends ReadRoute>(route: R, input: InputOf<R> | undefined): Loaded<DataOf<R>> => {
  const [state, setState] = useState<State<DataOf<R>>>({
    key: "",
    data: undefined,
    problem: undefined,
    isLoading: true
  })
  const [times, setTimes] = useState(0)
  const key = input === undefined ? "" : callKey(route, input)
  // What failed because a session had ended is asked again in the next one.
  const session = timesSignedIn.value
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

/** Two calls are the same if these texts are. */
export const callKey = (route: string, input: unknown): string => JSON.stringify([route, input])

interface State<A> extends Omit<Loaded<A>, "reload"> {
  readonly key: string
}
