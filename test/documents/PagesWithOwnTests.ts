/** The pages that are not run with the other pages, because each needs a service, a folder or a browser for itself. */

export const firstWeek = "docs/tutorials/first-week.md"
export const signUpToLive = "docs/tutorials/sign-up-to-live.md"
export const openForBusiness = "docs/tutorials/open-for-business.md"
export const languages = "docs/languages.md"

export const pagesWithOwnTests: ReadonlyArray<string> = [firstWeek, signUpToLive, openForBusiness, languages]
