/** The text of a field that takes effect with a delay: after a pause, or on submit. */
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect } from "preact/hooks"

/** @param asked the effective text: the field follows it if the address changes */
export const useFieldText = (asked: { readonly value: string }): Signal<string> => {
  const present = asked.value
  const typed = useSignal(present)
  // Synchronously: a delayed update would overwrite newer input. Surrounding spaces are kept.
  useLayoutEffect(() => {
    if (typed.peek().trim() !== present) typed.value = present
  }, [present])
  return typed
}

/** A text that takes effect after a pause in typing. */
export const useDebouncedText = (asked: { value: string }, pause_ms = debounce_ms): Signal<string> => {
  const typed = useFieldText(asked)
  const text = typed.value.trim()
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== asked.value) asked.value = text
    }, pause_ms)
    return () => clearTimeout(timer)
  }, [text])
  return typed
}

/** Longer than pauses within a word. */
const debounce_ms = 200
