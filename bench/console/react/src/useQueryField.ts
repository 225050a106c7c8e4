import { useSearchParams } from "react-router"

/** A filter that stands in the address, and how it is set. */
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
