/** Texts of a search that say that there is nothing to search. */
import { isWordForNothing } from "../directory/text/isWordForNothing.ts"

/** Whether a text is a word for nothing, or zeros, which are a value elsewhere: `N/A`, `-`, `0`. */
export const isNothing = (text: string): boolean => isWordForNothing(text) || /^0+$/.test(text.trim())
