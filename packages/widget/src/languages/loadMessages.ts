/** Languages besides English, each in a lazy chunk. */
import { loadAgain } from "../loadAgain.ts"
import { english, type Messages } from "./Messages.ts"

/** The supported languages. Exported separately, so that a page without it does not load it. */
export const languages: ReadonlyArray<string> = ["en", "fr", "ha", "ig", "yo"]

/** The primary language of a tag: `fr` of `fr-CA`. */
export const languageOf = (tag: string): string => tag.toLowerCase().split("-", 1)[0] ?? ""

/**
 * The messages of a language such as `fr` or `fr-CA`; if it is unsupported or cannot be loaded, the English ones that are
 * needed before the first use.
 */
export const loadMessages = async (language: string): Promise<Partial<Messages>> => {
  const load = loaders.get(languageOf(language))
  const loaded = await load?.().catch(() => undefined)
  return loaded?.messages ?? english
}

/** The other English messages; none if they cannot be loaded. */
export const loadLaterMessages = async (): Promise<Partial<Messages>> => {
  const loaded = await loadAgain(() => import("./en.ts")).catch(() => undefined)
  return loaded?.messages ?? {}
}

const loaders: ReadonlyMap<string, () => Promise<{ readonly messages: Messages }>> = new Map([
  ["fr", () => import("./fr.ts")],
  ["ha", () => import("./ha.ts")],
  ["ig", () => import("./ig.ts")],
  ["yo", () => import("./yo.ts")]
])
