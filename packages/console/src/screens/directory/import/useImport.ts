/** The import of the service, followed while it runs. */
import { useEffect, useState } from "preact/hooks"
import type { DataOf } from "../../../client/Contract.ts"
import { type Problem, problemOf } from "../../../client/Problem.ts"
import { call, signInCount } from "../../../state/session.ts"

/** An import, and how far it is. */
export type Import = NonNullable<DataOf<"GET /v1/admin/directory/import">["import"]>

/** What a dry run found. */
export type Check = NonNullable<Import["check"]>

export interface FollowedImport {
  /** Null if there is none; undefined before the first answer. */
  readonly found: Import | null | undefined
  readonly problem: Problem | undefined
  /** Shows what a call answered, and follows it. */
  readonly show: (found: Import | null) => void
  readonly reload: () => void
}

const pause_ms = 700

/** @param isFollowed whether the import is loaded again and again; a run is in any case */
export const useImport = (isFollowed: boolean): FollowedImport => {
  const [found, show] = useState<Import | null | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const [times, setTimes] = useState(0)
  const reload = () => setTimes((before) => before + 1)
  const isRunning = found?.phase === "checking" || found?.phase === "importing"
  const mayChange = isRunning || (isFollowed && found?.phase === "uploading")
  useEffect(() => {
    const leaving = new AbortController()
    call("GET /v1/admin/directory/import", {}, leaving.signal).then(
      (data) => {
        setProblem(undefined)
        show(data.import)
      },
      (error) => !leaving.signal.aborted && setProblem(problemOf(error))
    )
    return () => leaving.abort()
  }, [times, signInCount.value])
  useEffect(() => {
    if (!mayChange) return
    const timer = setTimeout(reload, pause_ms)
    return () => clearTimeout(timer)
  }, [mayChange, found, problem])
  return { found, problem, show, reload }
}
