import { useEffect, useRef, useState } from "preact/hooks"
import type { DataOf, InputOf } from "../../client/Contract.ts"
import { type Problem, problemOf } from "../../client/Problem.ts"
import { pagesOf } from "../../hooks/pagesOf.ts"
import type { PagedRoute } from "../../hooks/usePages.ts"
import { formatAmount } from "../data/Amount.tsx"
import { announce } from "../feedback/announce.ts"
import { ProblemNotice } from "../feedback/ProblemNotice.tsx"
import { Button } from "../forms/Button.tsx"
import { type CsvColumn, saveCsv, tableLine } from "./csvFile.ts"

export interface CsvDownloadProps<R extends PagedRoute, Row> {
  /** The file name without its extension. */
  readonly name: string
  readonly route: R
  /** Without `cursor` and `limit`. */
  readonly input: InputOf<R>
  /** The rows of a page. */
  readonly rowsOf: (data: DataOf<R>) => ReadonlyArray<Row>
  readonly columns: ReadonlyArray<CsvColumn<Row>>
}

/** Downloads all pages of a list as one file, with progress. Leaving the screen stops it. */
export const CsvDownload = <R extends PagedRoute, Row>(props: CsvDownloadProps<R, Row>) => {
  const [rows, setRows] = useState<number>()
  const [problem, setProblem] = useState<Problem>()
  const stopping = useRef<AbortController>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const start = async () => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    setProblem(undefined)
    setRows(0)
    try {
      saveCsv(props.name, await collect(props, signal, setRows))
      announce("The file is ready")
    } catch (error) {
      if (!signal.aborted) setProblem(problemOf(error))
    } finally {
      setRows(undefined)
    }
  }
  return (
    <>
      {rows === undefined ? (
        <Button icon="down" onClick={start}>
          CSV
        </Button>
      ) : (
        <Button icon="close" onClick={() => stopping.current?.abort()}>
          {`Stop at ${formatAmount(rows)} rows`}
        </Button>
      )}
      <ProblemNotice problem={problem} onRetry={start} />
    </>
  )
}

const collect = async <R extends PagedRoute, Row>(
  { columns, input, route, rowsOf }: CsvDownloadProps<R, Row>,
  signal: AbortSignal,
  onRows: (count: number) => void
): Promise<ReadonlyArray<string>> => {
  const lines = [tableLine(columns)]
  for await (const data of pagesOf(route, input, signal)) {
    for (const row of rowsOf(data)) lines.push(tableLine(columns, row))
    onRows(lines.length - 1)
  }
  return lines
}
