/** Languages beside English come on demand, each in a module of its own. */
import { english, type Messages } from "./Messages.ts"

/** Those that the picker speaks. A list of its own, so that a page which does not ask for it does not load it. */
export const languages: ReadonlyArray<string> = ["en", "fr", "ha", "ig", "yo"]

/** Of a tag such as `fr-CA`: `fr`. */
export const languageOf = (tag: string): string => tag.toLowerCase().split("-", 1)[0] ?? ""

/** The messages of a language such as `fr` or `fr-CA`; English where there are none, or where they cannot be loaded. */
export const loadMessages = async (language: string): Promise<Messages> => {
  const load = loaders.get(languageOf(language))
  const loaded = await load?.().catch(() => undefined)
  return loaded?.messages ?? english
}

const loaders: ReadonlyMap<string, () => Promise<{ readonly messages: Messages }>> = new Map([
  ["fr", () => import("./languages/fr.ts")],
  ["ha", () => import("./languages/ha.ts")],
  ["ig", () => import("./languages/ig.ts")],
  ["yo", () => import("./languages/yo.ts")]
])
