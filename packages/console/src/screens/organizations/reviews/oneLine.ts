/** A text as the service takes it: it keeps no line breaks. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()
