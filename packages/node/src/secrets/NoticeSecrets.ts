/** The port `NoticeSecrets` on Node: AES-256-GCM under keys that are derived from the peppers. */
import type { KeyObject } from "node:crypto"
import { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import { Layer, Redacted } from "effect"
import type { Pepper } from "./Pepper.ts"
import { boxKey, open, seal } from "./SealedBox.ts"

/**
 * @param pepper the current one, which seals
 * @param former previous ones, which can still open
 */
export const layerNoticeSecrets = (pepper: Pepper, former: ReadonlyArray<Pepper>): Layer.Layer<NoticeSecrets> => {
  const keys = new Map([pepper, ...former].map((one) => [String(one.version), keyOf(one)]))
  const present = { version: String(pepper.version), key: keyOf(pepper) }
  return Layer.succeed(NoticeSecrets, {
    seal: (context, text) =>
      `${present.version}.${seal(present.key, context, Buffer.from(Redacted.value(text))).toString("base64url")}`,
    open: (context, sealed) => {
      const [version = "", box = ""] = sealed.split(".")
      const key = keys.get(version)
      const text = key && open(key, context, Buffer.from(box, "base64url"))
      return text && Redacted.make(text.toString())
    }
  })
}

const keyOf = ({ secret }: Pepper): KeyObject => boxKey(secret, "postcode links of notices")
