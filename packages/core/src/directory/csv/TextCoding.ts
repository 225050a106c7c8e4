/** Text as bytes in UTF-8, and back, by the runtime's own coders. `Utf8.ts` is about the bytes themselves. */

/** A lone surrogate becomes U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** @throws TypeError if the bytes are no UTF-8 */
export const decodeUtf8 = (bytes: Uint8Array): string =>
  // A copy, as browsers decode nothing that is shared.
  strictDecoder.decode(new Uint8Array(bytes))

/** Refuses with a TypeError what is no UTF-8. A byte order mark is a character like any other: readers of text see to it. */
export const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** For bytes that are known to be UTF-8. A byte order mark is a character like any other. */
export const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

// Part of every runtime, though not of the language's own library.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean }
) => { decode(bytes: Uint8Array): string }
