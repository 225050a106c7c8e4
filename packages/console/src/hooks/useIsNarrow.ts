import { useEffect, useState } from "preact/hooks"

/** The same width as in the style sheet. */
const narrow = matchMedia("(max-width: 60rem)")

/** Whether the page is too narrow for the navigation beside a screen. */
export const useIsNarrow = (): boolean => {
  const [isNarrow, setNarrow] = useState(narrow.matches)
  useEffect(() => {
    const change = () => setNarrow(narrow.matches)
    narrow.addEventListener("change", change)
    return () => narrow.removeEventListener("change", change)
  }, [])
  return isNarrow
}
