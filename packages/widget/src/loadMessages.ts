/** Languages beside English come on demand, each in a module of its own. */
import { english, type Messages } from "./Messages.ts"

/** The messages of a language such as `fr` or `fr-CA`; English where there are none, or where they cannot be loaded. */
export const loadMessages = async (language: string): Promise<Messages> => {
  const load = languages.get(language.toLowerCase().split("-", 1)[0] ?? "")
  try {
    return load ? (await load()).messages : english
  } catch {
    return english
  }
}

const languages: ReadonlyMap<string, () => Promise<{ readonly messages: Messages }>> = new Map([
  ["fr", () => import("./languages/fr.ts")],
  ["ha", () => import("./languages/ha.ts")],
  ["ig", () => import("./languages/ig.ts")],
  ["yo", () => import("./languages/yo.ts")]
])
