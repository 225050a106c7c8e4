import type { ComponentChildren } from "preact"
import type { Loaded } from "../../hooks/useLoad.ts"
import { Loading } from "./Loading.tsx"
import { ProblemNotice } from "./ProblemNotice.tsx"

export interface WhenLoadedProps<A> {
  readonly loaded: Loaded<A>
  /** The text while it is loaded for the first time. */
  readonly waiting?: string
  readonly children?: (data: A) => ComponentChildren
}

/** Loaded data, or the reason why it is not there. */
export const WhenLoaded = <A,>({ children, loaded, waiting = "Loading" }: WhenLoadedProps<A>) => {
  const { data, isLoading, problem, reload } = loaded
  return (
    <>
      <ProblemNotice problem={problem} onRetry={reload} />
      {data === undefined && isLoading && <Loading>{waiting}</Loading>}
      {data !== undefined && children?.(data)}
    </>
  )
}
