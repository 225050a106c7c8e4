import { createHash } from "node:crypto"

/** An identifier as it is, and what anyone can make of it without a key: none of it may reach a port. */
export const guessableForms = (raw: string): ReadonlyArray<string> => {
  const bare = createHash("sha256").update(raw).digest()
  return [
    raw,
    Buffer.from(raw).toString("base64"),
    encodeURIComponent(raw),
    bare.toString("hex"),
    bare.toString("base64")
  ]
}
