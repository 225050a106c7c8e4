/** What every use of a picker needs: its list and its searches. Loaded at the first focus; it imports no other chunk. */
import { ListBox } from "./ListBox.ts"
import { followField, type RowTools, rowMaker, rowStyles } from "./Rows.ts"
import { asker } from "./session/Ask.ts"
import { Search, type SearchTools } from "./session/Search.ts"
import type { View } from "./View.ts"

/** The list and the searches of a picker. */
export const startUse = (view: View, tools: RowTools & Omit<SearchTools, "ask">) => {
  describe(view)
  return {
    list: new ListBox(view, tools.make, rowMaker(tools), followField),
    search: new Search({ ...tools, ask: asker(tools.failure) })
  }
}

/** As Enter in any field: the form's first submit button is pressed, or there is none and no other field of text. */
export const submitImplicitly = (form: HTMLFormElement | null): void => {
  const controls = [...((form?.elements ?? []) as Iterable<HTMLInputElement>)]
  const button = controls.find(({ type }) => type === "submit")
  if (button) button.click()
  else if (!controls.some((control) => control.matches("input:not([type=hidden])"))) form?.requestSubmit()
}

/** The nodes of the page that describe the picker describe its input, too. */
const describe = ({ input, root, status }: View): void => {
  const ids = root.host.getAttribute("aria-describedby")?.split(/\s+/) ?? []
  const outer = root.host.getRootNode() as Document | ShadowRoot
  if (ids.length > 0) input.ariaDescribedByElements = [...ids.flatMap((id) => outer.getElementById?.(id) ?? []), status]
}

export { asker, rowStyles }
