/** A whole list of the service, for screens that need all rows. */
import { useEffect, useState } from "preact/hooks"
import type { DataOf, InputOf } from "../client/Contract.ts"
import { type Problem, problemOf } from "../client/Problem.ts"
import { signInCount } from "../state/session.ts"
import { pagesOf } from "./pagesOf.ts"
import { callKey } from "./useLoad.ts"
import type { PagedRoute } from "./usePages.ts"

/** The list, as far as it is loaded. */
export interface Whole<Row> {
  /** The loaded rows; undefined before the first page. */
  readonly rows: ReadonlyArray<Row> | undefined
  /** Whether more pages are being loaded. */
  readonly isLoading: boolean
  readonly problem: Problem | undefined
  readonly reload: () => void
}

/**
 * @param input without `cursor` and `limit`
 * @param rowsOf the rows of a page
 */
export const useAllPages = <R extends PagedRoute, Row>(
  route: R,
  input: InputOf<R>,
  rowsOf: (data: DataOf<R>) => ReadonlyArray<Row>
): Whole<Row> => {
  const [state, setState] = useState<Omit<Whole<Row>, "reload">>(nothingYet)
  const [times, setTimes] = useState(0)
  // Calls that failed because the session had ended are repeated after sign-in.
  const session = state.problem?.status === 401 ? signInCount.value : undefined
  useEffect(() => {
    const leaving = new AbortController()
    setState(nothingYet)
    const read = async () => {
      let rows: ReadonlyArray<Row> = []
      for await (const data of pagesOf(route, input, leaving.signal)) {
        rows = [...rows, ...rowsOf(data)]
        const isLoading = (data as { readonly next_cursor: string | null }).next_cursor !== null
        setState({ rows, isLoading, problem: undefined })
      }
    }
    read().catch((error) => {
      if (!leaving.signal.aborted) setState(({ rows }) => ({ rows, isLoading: false, problem: problemOf(error) }))
    })
    return () => leaving.abort()
  }, [callKey(route, input), times, session])
  return { ...state, reload: () => setTimes((before) => before + 1) }
}

const nothingYet = { rows: undefined, isLoading: true, problem: undefined }
