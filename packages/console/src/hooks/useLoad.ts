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
export const useLoad = <R extends ReadRoute>(route: R, input: InputOf<R> | undefined): Loaded<DataOf<R>> =>
  useWork(input && callKey(route, input), (signal) => call(route, input as InputOf<R>, signal))

/**
 * Loads with any function.
 *
 * @param key another key loads anew; undefined to load nothing yet
 * @param work calls `show` with a part of the data while more is loaded
 */
export const useWork = <A>(
  key: string | undefined,
  work: (signal: AbortSignal, show: (data: A) => void) => Promise<A>
): Loaded<A> => {
  const [state, setState] = useState<State<A>>({ ...nothingYet, key: undefined })
  const [times, setTimes] = useState(0)
  const reload = () => setTimes((before) => before + 1)
  useEffect(() => {
    if (key === undefined) return
    const leaving = new AbortController()
    setState((before) => ({ ...nothingYet, key, data: before.key === key ? before.data : undefined }))
    const isLeft = () => leaving.signal.aborted
    work(leaving.signal, (data) => isLeft() || setState({ ...nothingYet, key, data })).then(
      (data) => isLeft() || setState({ key, data, problem: undefined, isLoading: false }),
      (error) => {
        if (isLeft()) return
        setState(({ data }) => ({ key, data, problem: problemOf(error), isLoading: false }))
      }
    )
    return () => leaving.abort()
  }, [key, times])
  // Calls that failed because the session had ended are repeated after sign-in.
  useEffect(() => {
    if (state.problem?.status === 401) reload()
  }, [signInCount.value])
  const { data, isLoading, problem } = state.key === key ? state : nothingYet
  return { data, problem, isLoading, reload }
}

/** Two calls are equal if these texts are. */
export const callKey = (route: string, input: unknown): string => JSON.stringify([route, input])

interface State<A> extends Omit<Loaded<A>, "reload"> {
  readonly key: string | undefined
}

const nothingYet = { data: undefined, isLoading: true, problem: undefined }
