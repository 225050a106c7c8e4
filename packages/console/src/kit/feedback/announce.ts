/** Announces a message to screen readers and shows it briefly. */
import { signal } from "@preact/signals"

/** The current message; mostly empty. */
export const announced = signal("")

let timer: ReturnType<typeof setTimeout> | undefined

/** Replaces the current message. */
export const announce = (text: string): void => {
  clearTimeout(timer)
  // Screen readers ignore an unchanged text.
  announced.value = ""
  requestAnimationFrame(() => {
    announced.value = text
  })
  timer = setTimeout(() => {
    announced.value = ""
  }, shown_ms)
}

const shown_ms = 4_000
