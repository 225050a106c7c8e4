/** Days as the command line takes them: `2026-01-31`. */

/** Whether a text is a day that there is: `Date.parse` takes 30 February for one of March. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(Date.parse(text)).toISOString().startsWith(text)
