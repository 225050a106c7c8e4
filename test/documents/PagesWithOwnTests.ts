/** The page that is run on a database of its own, and not with the other pages. */
export const firstWeek = "docs/tutorials/first-week.md"
