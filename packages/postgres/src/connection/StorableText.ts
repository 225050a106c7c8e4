/** Which texts the database can hold: none with the character 0, so what is asked for by one is not there. */
export const isStorable = (text: string): boolean => !text.includes("\0")
