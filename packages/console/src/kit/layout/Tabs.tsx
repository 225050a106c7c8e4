import type { ComponentChildren } from "preact"
import { useId, useRef } from "preact/hooks"
import { query, setQuery } from "../../router/address.ts"

/** A tab. */
export interface Tab {
  /** The query value in the address: `?tab=invitations`. */
  readonly name: string
  readonly label: string
  readonly content: () => ComponentChildren
}

/** Tabs; the address has the selected one. Arrow keys move between tabs. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: ReadonlyArray<Tab> }) => {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const named = query.value.get("tab")
  const active = tabs.find(({ name }) => name === named) ?? tabs[0]
  const show = (tab: Tab | undefined) => {
    if (tab === undefined) return
    setQuery({ tab: tab === tabs[0] ? undefined : tab.name })
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.name}"]`)?.focus()
  }
  return (
    <>
      <div
        ref={list}
        class="tabs"
        role="tablist"
        aria-label={label}
        onKeyDown={({ key }) => {
          const at = active === undefined ? 0 : tabs.indexOf(active)
          if (key === "ArrowRight") show(tabs[(at + 1) % tabs.length])
          if (key === "ArrowLeft") show(tabs.at(at - 1))
          if (key === "Home") show(tabs[0])
          if (key === "End") show(tabs.at(-1))
        }}
      >
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            data-tab={tab.name}
            id={`${id}-${tab.name}`}
            aria-controls={`${id}-panel`}
            aria-selected={tab === active}
            tabIndex={tab === active ? 0 : -1}
            onClick={() => show(tab)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active?.name}`}>
        {active?.content()}
      </div>
    </>
  )
}
