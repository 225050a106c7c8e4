/** Says something to whoever listens to the page, and shows it for a moment to whoever sees it. */
import { signal } from "@preact/signals"

export const announced = signal("")

let timer: ReturnType<typeof setTimeout> | undefined

export const announce = (text: string): void => {
  clearTimeout(timer)
  // The same words again would not be read out again.
  announced.value = ""
  requestAnimationFrame(() => {
    announced.value = text
  })
  timer = setTimeout(() => {
    announced.value = ""
  }, shown_ms)
}

const shown_ms = 4_000
