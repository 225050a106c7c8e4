/** Text of snapshots as bytes, and back. */

/** A lone surrogate becomes U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** @throws TypeError if the bytes are no UTF-8 */
export const decodeUtf8 = (bytes: Uint8Array): string =>
  // A copy, as browsers decode nothing that is shared.
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes))

// Part of every runtime, though not of the language's own library.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean }
) => { decode(bytes: Uint8Array): string }
