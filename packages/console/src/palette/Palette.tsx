import { maxSearchText } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import { useDebouncedText } from "../hooks/useFieldText.ts"
import { Dialog } from "../kit/dialogs/Dialog.tsx"
import { goTo } from "../router/address.ts"
import type { Target } from "./targets.ts"
import { useTargets } from "./useTargets.ts"
import "./palette.css"

/** The command palette: a combobox in a dialog that opens screens, organizations, keys and postcodes. */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const id = useId()
  const searched = useSignal("")
  const typed = useDebouncedText(searched)
  const text = typed.value.trim()
  const { isLoading, targets } = useTargets(text, searched.value)
  const at = useSignal(0)
  const selected = Math.min(at.value, targets.length - 1)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" })
  }, [selected])
  const open = (target: Target | undefined) => {
    if (target === undefined) return
    target.act?.()
    onClose()
    if (target.place !== undefined) goTo(target.place)
  }
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => (at.value = selected + 1 < targets.length ? selected + 1 : 0),
    ArrowUp: () => (at.value = selected > 0 ? selected - 1 : targets.length - 1),
    Enter: () => open(targets[selected])
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-label="Screen, organization, key, postcode or action"
          aria-expanded={targets.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={selected >= 0 ? `${id}-${selected}` : undefined}
          placeholder="Screen, organization, key, postcode or action"
          autoFocus
          autoComplete="off"
          spellcheck={false}
          maxLength={maxSearchText}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
            at.value = 0
          }}
          onKeyDown={(event) => {
            const step = steps[event.key]
            if (step === undefined || event.isComposing) return
            event.preventDefault()
            step()
          }}
        />
        <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results" class="results">
          {targets.map((target, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the focus and handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the combobox names the active option instead
            <div
              key={target.id}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === selected}
              onClick={() => open(target)}
            >
              <span class="name">{target.label}</span>
              <span class="muted">
                {target.kind}
                {target.detail && ` · ${target.detail}`}
              </span>
            </div>
          ))}
        </div>
        <p class="muted" role="status">
          {isLoading ? "Searching" : targets.length === 0 ? "No results." : countOf(targets.length)}
        </p>
      </div>
    </Dialog>
  )
}

const countOf = (count: number): string =>
  `${count} ${count === 1 ? "result" : "results"}. Arrow keys select, Enter opens, Escape closes.`
