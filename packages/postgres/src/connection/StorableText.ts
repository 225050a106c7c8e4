/** Whether PostgreSQL can store a text: not with the character U+0000, so no row has such a text. */
export const isStorable = (text: string): boolean => !text.includes("\0")
