/** Says something to whoever listens to the page, and shows it for a moment to whoever sees it. */
import { signal } from "@preact/signals"

/** What is being said; empty most of the time. */
export const announced = signal("")

let timer: ReturnType<typeof setTimeout> | undefined

/** Says a text now, in the place of whatever is being said. */
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
