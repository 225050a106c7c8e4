/** What every use of a picker needs: its list and its searches. Loaded at the first focus; it imports no other chunk. */
import type { Dialogue } from "./Dialogue.ts"
import { ListBox } from "./ListBox.ts"
import { followField, rowMaker, rowStyles } from "./Rows.ts"
import { asker } from "./session/Ask.ts"
import { Search } from "./session/Search.ts"
import type { View } from "./View.ts"
import { Ways, type WayTools } from "./Ways.ts"

/** The list and the searches of a picker. */
export const startUse = (flow: Dialogue, tools: WayTools): Ways => {
  const { settings, view } = flow
  describe(view)
  const shared = { ...tools, ask: asker(tools.Problem) }
  const opens = (code: string) => tools.depthOf(code) < flow.depth
  const makeRow = rowMaker({ ...tools, opens, messages: () => settings.messages })
  return new Ways(flow, shared, {
    list: new ListBox(view, tools.make, makeRow, followField),
    search: new Search(shared),
    submit: submitImplicitly
  })
}

/** As Enter in any field: the form's first submit button is pressed, or there is none and no other field of text. */
const submitImplicitly = (form: HTMLFormElement | null): void => {
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

export { rowStyles }
