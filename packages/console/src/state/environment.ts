/** Which of an organization's two worlds is looked at: that of tests, or the one that counts. */
import { effect, signal } from "@preact/signals"

/** One of the two. */
export type Environment = "live" | "test"

/** The two in words. */
export const environmentNames: Readonly<Record<Environment, string>> = { test: "Test", live: "Live" }

const place = "environment"

/** It lasts as long as the tab. */
export const environment = signal<Environment>(sessionStorage.getItem(place) === "live" ? "live" : "test")

effect(() => sessionStorage.setItem(place, environment.value))
