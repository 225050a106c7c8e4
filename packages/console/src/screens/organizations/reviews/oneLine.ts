/** Removes line breaks, which the service refuses. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()
