/** The selected environment: `test` or `live`. */
import { effect, signal } from "@preact/signals"

/** An environment. */
export type Environment = "live" | "test"

/** The label of each environment. */
export const environmentNames: Readonly<Record<Environment, string>> = { test: "Test", live: "Live" }

const place = "environment"

/** Kept as long as the tab. */
export const environment = signal<Environment>(sessionStorage.getItem(place) === "live" ? "live" : "test")

effect(() => sessionStorage.setItem(place, environment.value))
