/** What every use of a picker needs: its list and its searches. Loaded at the first focus; it imports no other chunk. */
import { ListBox } from "./ListBox.ts"
import { followField, type RowTools, rowMaker, rowStyles } from "./Rows.ts"
import { Search, type SearchTools } from "./session/Search.ts"
import type { View } from "./View.ts"

/** The list and the searches of a picker. */
export const startUse = (view: View, tools: RowTools & SearchTools, isTouched: boolean) => ({
  list: new ListBox(view, tools.make, rowMaker(tools), followField, isTouched),
  search: new Search(tools)
})

/** As Enter in any field: the form's first submit button is pressed, or there is none and no other field of text. */
export const submitImplicitly = (form: HTMLFormElement | null): void => {
  const controls = [...((form?.elements ?? []) as Iterable<HTMLInputElement>)]
  const button = controls.find(({ type }) => type === "submit")
  if (button) button.click()
  else if (!controls.some((control) => control.matches("input:not([type=hidden])"))) form?.requestSubmit()
}

export { rowStyles }
