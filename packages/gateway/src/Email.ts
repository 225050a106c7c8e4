/** Validation and canonical form of email addresses. */
import { accountLimits } from "./InputLimits.ts"

/**
 * The address in lower case, in Unicode normal form C, without surrounding white space, and with the ASCII form of its
 * domain, in which browsers send it; undefined if it is invalid.
 */
export const parseEmail = (raw: string): string | undefined => {
  const text = raw.trim()
  // Changing case and form can change length and characters, so the result is validated.
  const normalized = text.length <= maxRawLength ? withAsciiDomain(text.toLowerCase().normalize("NFC")) : ""
  const isEmail = normalized.length <= accountLimits.email && pattern.test(normalized) && !unclear.test(normalized)
  return isEmail ? normalized : undefined
}

/** Every platform has it; the types of this package name none. */
declare const URL: { parse(text: string): { readonly hostname: string } | null }

/** `ada@bücher.example` as `ada@xn--bcher-kva.example`. */
const withAsciiDomain = (email: string): string => {
  const [, name, domain] = /^(.+@)(?=.*[^\0-\x7f])([\p{L}\p{M}\p{N}.-]+)$/u.exec(email) ?? []
  return domain === undefined ? email : `${name}${URL.parse(`http://${domain}`)?.hostname}`
}

/** Before normalization a letter may consist of several characters. */
const maxRawLength = 4 * accountLimits.email
const pattern =
  /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/
/**
 * Lone surrogates and the replacement character stand for many characters, so different addresses would be equal.
 * Control characters are invalid.
 */
const unclear = /[\p{Cc}\p{Cs}\uFFFD]/u
