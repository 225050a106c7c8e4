/** What a fuzzer has learned from answers, and what it must never see again: ids, credentials, secrets. */
import type { Random } from "./Random.ts"

/** In every secret that the fuzzer makes up: a password, an identifier of an end user. */
export const mark = "c4n4ry"

/** The numbers of end users: eleven digits that begin so. */
export const markedDigits = "84213579"

/** The most that is kept of one kind; older ones give way. */
const most = 60

export class Known {
  private readonly byKind = new Map<string, Array<string>>()

  /** Keeps a text under a kind: `org`, `apiKey`, `cookie`. */
  learn(kind: string, text: string): void {
    const known = this.byKind.get(kind) ?? []
    if (known.includes(text)) return
    known.push(text)
    if (known.length > most) known.splice(1 + (known.length % (most - 1)), 1)
    this.byKind.set(kind, known)
  }

  /** One of a kind, the first one as often as all others; undefined if none is known. */
  any(kind: string, random: Random): string | undefined {
    const known = this.byKind.get(kind)
    if (known === undefined) return undefined
    return random.chance(50) ? known[0] : random.pick(known)
  }

  /** The one of a kind that was known first. */
  first(kind: string): string | undefined {
    return this.byKind.get(kind)?.[0]
  }

  /** Takes up whatever an answer names: ids by their prefix, cursors, keys and tokens. */
  learnFrom(value: unknown, name = ""): void {
    if (Array.isArray(value)) for (const item of value) this.learnFrom(item, name)
    else if (typeof value === "object" && value !== null) {
      for (const [field, inner] of Object.entries(value)) this.learnFrom(inner, field)
    } else if (typeof value === "string") this.learnText(value, name)
  }

  private learnText(text: string, name: string): void {
    const prefix = /^([a-z]{3})_[0-9A-Za-z]{4,40}$/.exec(text)?.[1]
    if (prefix !== undefined && prefix !== "svc") this.learn(prefix, text)
    else if (text.startsWith("svc_mk_")) this.learn("managementKey", text)
    else if (/^svc_/.test(text)) this.learn("apiKey", text)
    else if (name === "next_cursor") this.learn("cursor", text)
    else if (name === "token") this.learn(text.startsWith("eyJ") ? "sessionToken" : "invitation", text)
    else if (name === "challenge") this.learn("challenge", text)
  }
}
