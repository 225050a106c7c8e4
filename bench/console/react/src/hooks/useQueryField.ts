import { useSearchParams } from "react-router"

/** A query parameter of the address and its setter. */
export const useQueryField = (name: string, absent = ""): readonly [string, (next: string) => void] => {
  const [query, setQuery] = useSearchParams()
  const set = (next: string): void =>
    setQuery(
      (before) => {
        if (next === absent) before.delete(name)
        else before.set(name, next)
        return before
      },
      { replace: true }
    )
  return [query.get(name) ?? absent, set]
}
