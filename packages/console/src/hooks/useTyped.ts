/** What stands in a field whose text counts later than it is typed: after a pause, or once it is sent. */
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect } from "preact/hooks"

/** @param asked the text that counts: the field follows it, as when the address says another one */
export const useTyped = (asked: { readonly value: string }): Signal<string> => {
  const present = asked.value
  const typed = useSignal(present)
  // At once: what is typed in the meantime would be lost. Spaces that were typed around it stay.
  useLayoutEffect(() => {
    if (typed.peek().trim() !== present) typed.value = present
  }, [present])
  return typed
}

/** The same for a text that counts once nothing was typed for a while. */
export const useTypedWithPause = (asked: { value: string }, pause_ms = wordPause_ms): Signal<string> => {
  const typed = useTyped(asked)
  const text = typed.value.trim()
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== asked.value) asked.value = text
    }, pause_ms)
    return () => clearTimeout(timer)
  }, [text])
  return typed
}

/** Nobody types that slowly in the middle of a word. */
const wordPause_ms = 200
